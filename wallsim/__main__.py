"""`python -m wallsim` is the command `wallsim`."""

from wallsim.cli import main

if __name__ == "__main__":
    main()
