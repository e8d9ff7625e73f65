"""``python -m evaluation``."""

import os
import sys

# Nothing here multiplies matrices: threads for that would only cost their start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if __name__ == "__main__":
    try:
        from evaluation.cli import main
        from evaluation.memory import keep_freed_memory

        keep_freed_memory()
        status = main()
    except KeyboardInterrupt:  # while modules were loaded
        status = 130
    sys.exit(status)
