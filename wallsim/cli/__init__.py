"""The command line: parses arguments, calls the package, prints. Heavy imports are delayed until they are needed.

Exit status: 0 success, 1 a run failed or is damaged, 2 invalid input or output that cannot be written, 3 unfinished,
130 interrupted, 143 terminated.
"""

import faulthandler
import gc

from wallsim.cli import (  # noqa: F401
    advise,
    battle,
    board,
    compare,
    figures,
    folders,
    games,
    lab,
    lists,
    machine,
    openings,
    policy,
    replay,
    report,
    review,
    searches,
    study,
    tournament,
    tower,
)  # each module adds its commands
from wallsim.cli.activity import break_silence
from wallsim.cli.app import app
from wallsim.cli.forced_exit import force_exit_after_signals, leave_if_stopped
from wallsim.cli.output import FAILED
from wallsim.cli.terminal_output import OutputError, echo, flushed_output, install_ascii_fallback, name_standard_output
from wallsim.current_folder import import_plain_matplotlib

# New objects between two collections of garbage. With Python's 700 a tenth of the time to start goes into searching
# what was imported, which stays.
_NEW_OBJECTS = 50_000


def main() -> None:
    """The command `wallsim`."""
    gc.set_threshold(_NEW_OBJECTS)
    name_standard_output()
    install_ascii_fallback()
    force_exit_after_signals()
    faulthandler.enable()  # the machine code of a custom policy may end the process
    break_silence()
    import_plain_matplotlib()
    try:
        try:
            app(prog_name="wallsim")
        finally:
            if not flushed_output():
                raise SystemExit(FAILED) from None
    except OutputError as error:
        echo(error, err=True)
        raise SystemExit(error.exit_status) from None
    finally:
        leave_if_stopped()
