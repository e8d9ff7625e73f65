"""Talk to a Centreboard site from Python or a shell."""

__version__ = "0.1.0"
