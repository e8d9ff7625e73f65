"""What organizers do in the browser, as verbs; each checks the policies and leaves an entry."""
