"""Talk to a Centreboard site from Python or a shell."""

from centreboard.client import Client
from centreboard.problem import Problem

__version__ = "0.1.0"
__all__ = ["Client", "Problem"]
