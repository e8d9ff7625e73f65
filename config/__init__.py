"""Settings, processes and addresses: the part that knows where Centreboard runs."""
