"""`python -m wallsim` is the command `wallsim`."""

import sys

if __name__ == "__main__":
    try:
        from wallsim.cli import main

        main()
    except KeyboardInterrupt:  # Ctrl-C while the command is loaded
        sys.exit(130)
