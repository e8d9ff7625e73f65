"""``python -m evaluation``."""

import sys

if __name__ == "__main__":
    try:
        from evaluation.cli import main
        from evaluation.memory import keep_freed_memory

        keep_freed_memory()
        status = main()
    except KeyboardInterrupt:  # while modules were loaded
        status = 130
    sys.exit(status)
