"""The common driver of all studies: parse the command line, play, estimate, save the picture, update pages, print.

A study has three files: NAME.toml (its experiment) and NAME.py in this folder, and a notebook. NAME.py defines a
`Study` with its arguments and the function that computes an `Answer` from them, and passes it to `run`:

    .venv/bin/python -m analyses.NAME results/NAME docs/studies/NAME.png --into docs/studies/NAME.md
"""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from analyses.recording import Recording, options_of
from wallsim.analysis.claims.plays import SECOND_POLICY, STRONG_POLICY, Play, checked_plays, usual_plays
from wallsim.errors import InputError, WallsimError
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.marked import marked_text, put_between_marks
from wallsim.runs.folder.commit import write_whole
from wallsim.visible import visible

FAILED, INTERRUPTED = 1, 130  # exit statuses, those of the command `wallsim`
PNG = ".png"


@dataclass(frozen=True)
class Answer:
    """The results of a study.

    `digest` is a hash of everything that decides the results: experiments, policies' weights, numbers of games and
    resamples. `blocks` are the texts for pages, by the names of their marks. `text` is printed, as Markdown. The
    picture is saved with `colours` colours.
    """

    digest: str
    blocks: Mapping[str, str]
    text: str
    figure: Figure
    colours: int = 64


@dataclass(frozen=True)
class Study:
    """A study as a command: its file and docstring, the names of its marks, its arguments, its answer.

    `answer` plays the missing games in the folder `args.folder` and computes the estimates. It raises InputError for
    invalid arguments before it plays any game.
    """

    file: str
    doc: str | None
    marks: Sequence[str]
    add_arguments: Callable[[ArgumentParser], None]
    answer: Callable[[Namespace], Answer]

    @property
    def name(self) -> str:
        """The name of the study, that of its file."""
        return Path(self.file).stem

    @property
    def script(self) -> str:
        """The path of the file from the root of the repository, as written into pages."""
        return f"analyses/{Path(self.file).name}"


def run(study: Study, argv: Sequence[str] | None = None) -> int:
    """Run a study with command-line arguments; returns the exit status.

    Picture and pages are written at the end, each atomically. Errors are printed on standard error. The status is 2 for
    invalid input, which is detected before playing if possible; 1 if playing or writing failed; 130 after Ctrl-C.
    """
    args = parser_of(study).parse_args(argv)
    try:
        _check_outputs(study, args)
        record = Recording(args.folder, study.name, options_of(parser_of(study), args))
        with record.begun():
            answer = study.answer(args)
        put_between_marks(args.into, answer.blocks, answer.digest, study.script)
        write_answer(study, args, answer)
        record.finish(answer.digest)
        _print(answer.text)
    except WallsimError as error:
        return _end(str(error), error.exit_status)
    except OSError as error:
        return _end(str(error), FAILED)
    except KeyboardInterrupt:
        kept = f"finished parts are kept in {args.folder}, and the same command resumes"
        return _end(f"Interrupted: {kept}.", INTERRUPTED)
    return 0


def write_answer(study: Study, args: Namespace, answer: Answer) -> None:
    """Write the picture, and the figures as Markdown into the folder."""
    drawn = io.BytesIO()
    save_picture(answer.figure, drawn, colours=answer.colours)
    write_whole(args.picture, drawn.getvalue())
    args.folder.mkdir(parents=True, exist_ok=True)
    write_whole(args.folder / f"{study.name}.md", f"{answer.text.strip()}\n".encode())


class Parser(ArgumentParser):
    """A parser whose messages show the control characters of arguments as escapes."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(visible(message), file)


def parser_of(study: Study) -> ArgumentParser:
    """The parser of a study's command line: run folder and picture, the study's own arguments, and --into."""
    question = (study.doc or "").partition("\n")[0]
    parser = Parser(prog=f"python -m analyses.{Path(study.file).stem}", description=question)
    parser.add_argument("folder", type=Path, help="folder of the runs; games in it are not played again")
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    study.add_arguments(parser)
    marks = ", ".join(f"<!-- {name} -->" for name in study.marks)
    parser.add_argument(
        "--into", type=Path, action="append", default=[], metavar="PAGE",
        help=f"a page that receives the figures between its marks ({marks}); may be given more than once",
    )  # fmt: skip
    return parser


def count(text: str) -> int:
    """An argument as a whole number of at least 1; otherwise argparse's error."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def names(text: str) -> list[str]:
    """The names in a comma-separated argument."""
    return [name.strip() for name in text.split(",")]


def add_policies(parser: ArgumentParser) -> None:
    """Add the option --policies; its default is None."""
    parser.add_argument("--policies", type=names, help="comma-separated policies, instead of those of the study")


def add_size(parser: ArgumentParser) -> None:
    """Add the options of studies of effects: --games, --quick and --workers."""
    parser.add_argument("--games", type=count, help="games of each scenario instead of the experiment's")
    parser.add_argument("--quick", action="store_true", help="a look in under two minutes: few cells, few games")
    parser.add_argument("--workers", type=count, help="threads (default: one per core); no result depends on them")


def add_plays(parser: ArgumentParser) -> None:
    """Add the options --strong and --second, which `plays_of` uses."""
    parser.add_argument("--strong", default=STRONG_POLICY, help="the policy of strong play (default: %(default)s)")
    add_second(parser)


def add_second(parser: ArgumentParser) -> None:
    """Add the option --second, the policy of the second line of strong play."""
    parser.add_argument(
        "--second", default=SECOND_POLICY,
        help="strong play found independently of the tuned policies (default: %(default)s)",
    )  # fmt: skip


def plays_of(args: Namespace) -> tuple[Play, ...]:
    """The requested plays from weak to strong. InputError for a policy that occurs twice."""
    return checked_plays(usual_plays(args.strong, args.second))


def _check_outputs(study: Study, args: Namespace) -> None:
    # Checked before anything is played, so that no games are played in vain.
    if args.picture.suffix.lower() != PNG:
        raise InputError(f"picture: {args.picture} does not end in {PNG}")
    if not os.access(args.picture.parent, os.W_OK | os.X_OK):
        raise InputError(f"picture: {args.picture} cannot be written: the folder does not exist or is not writable")
    for page in args.into:
        marked_text(page, study.marks)


def _print(text: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may not support characters such as ±
    try:
        print(visible(text), flush=True)
    except BrokenPipeError:  # as in `| head`; without this the interpreter fails at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, status: int) -> int:
    print(visible(message), file=sys.stderr)
    return status
