"""``python -m centreboard`` is the ``centreboard`` command."""

from centreboard.cli import main

main()
