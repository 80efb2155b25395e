"""The command `wallsim`, also as `python -m wallsim`: Ctrl-C ends it from here on, while it is loaded, too."""

import os
import signal


def main() -> None:
    """Load the command line, and run it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it may be ignored, as by `nohup`
        signal.signal(signal.SIGINT, _stop)
    from wallsim.cli import main as command

    command()


def _stop(number: int, *_: object) -> None:
    try:
        os.write(2, b"Stopped.\n")
    finally:
        os._exit(128 + number)


if __name__ == "__main__":
    main()
