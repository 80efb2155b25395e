"""What all studies do alike: read the command line, play and estimate, then save the picture, fill pages and print.

A study is three files, NAME.toml (its experiment) and NAME.py here, and a notebook. NAME.py says in a `Study` which
arguments it takes and how they lead to an `Answer`, and hands that to `run`:

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

from matplotlib.figure import Figure

from wallsim.analysis.claims.plays import SECOND_POLICY, STRONG_POLICY, Play, checked_plays, usual_plays
from wallsim.errors import InputError, WallsimError
from wallsim.report.figures.style import save_picture
from wallsim.report.tables.marked import marked_text, put_between_marks
from wallsim.runs.folder.commit import write_whole

FAILED, INTERRUPTED = 1, 130  # exit statuses, those of the command `wallsim`
PNG = ".png"


@dataclass(frozen=True)
class Answer:
    """What a study found.

    `digest` is a hash of all that decides the figures: experiments, policies' weights, numbers of games and resamples.
    `blocks` are the texts that pages receive, by the names of their marks. `text` is what is printed, as Markdown.
    The picture is saved in so many colours.
    """

    digest: str
    blocks: Mapping[str, str]
    text: str
    figure: Figure
    colours: int = 64


@dataclass(frozen=True)
class Study:
    """A study as a command: its file and docstring, the names of its marks, its arguments, its answer.

    `answer` plays what is missing in the folder `args.folder` and estimates. It raises InputError, before it plays
    anything, for arguments that will not do.
    """

    file: str
    doc: str | None
    marks: Sequence[str]
    add_arguments: Callable[[ArgumentParser], None]
    answer: Callable[[Namespace], Answer]

    @property
    def script(self) -> str:
        """The file from the repository's root, as pages name it."""
        return f"analyses/{Path(self.file).name}"


def run(study: Study, argv: Sequence[str] | None = None) -> int:
    """Run a study by the words of its command line; the exit status.

    Picture and pages are written when all is known, and each whole or not at all. What is wrong is said on standard
    error: 2 for bad input, found before a game is played if it can be; 1 where playing or writing failed; 130 after
    Ctrl-C.
    """
    args = parser_of(study).parse_args(argv)
    try:
        _check_outputs(study, args)
        answer = study.answer(args)
        drawn = io.BytesIO()
        save_picture(answer.figure, drawn, colours=answer.colours)
        put_between_marks(args.into, answer.blocks, answer.digest, study.script)
        write_whole(args.picture, drawn.getvalue())
        _print(answer.text)
    except WallsimError as error:
        return _end(str(error), error.exit_status)
    except OSError as error:
        return _end(str(error), FAILED)
    except KeyboardInterrupt:
        kept = f"finished parts are kept in {args.folder}, and the same command resumes"
        return _end(f"Interrupted: {kept}.", INTERRUPTED)
    return 0


def parser_of(study: Study) -> ArgumentParser:
    """The parser of a study's command line: run folder and picture, the study's own arguments, and --into."""
    question = (study.doc or "").partition("\n")[0]
    parser = ArgumentParser(prog=f"python -m analyses.{Path(study.file).stem}", description=question)
    parser.add_argument("folder", type=Path, help="folder of the runs; what it holds is not played again")
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    study.add_arguments(parser)
    marks = ", ".join(f"<!-- {name} -->" for name in study.marks)
    parser.add_argument(
        "--into", type=Path, action="append", default=[], metavar="PAGE",
        help=f"a page that receives the figures between its marks ({marks}); may be given more than once",
    )  # fmt: skip
    return parser


def count(text: str) -> int:
    """The whole number from 1 that an argument says; argparse's error if it is none."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def names(text: str) -> list[str]:
    """The names that an argument says, separated by commas."""
    return [name.strip() for name in text.split(",")]


def add_policies(parser: ArgumentParser) -> None:
    """Add --policies, which is None if it is not given."""
    parser.add_argument("--policies", type=names, help="some policies, separated by commas, instead of the study's")


def add_plays(parser: ArgumentParser) -> None:
    """Add --strong and --second, of which `plays_of` makes plays."""
    parser.add_argument("--strong", default=STRONG_POLICY, help="the policy of strong play (default: %(default)s)")
    add_second(parser)


def add_second(parser: ArgumentParser) -> None:
    """Add --second, the policy of the second line of strong play."""
    parser.add_argument(
        "--second", default=SECOND_POLICY,
        help="strong play found independently of the tuned policies (default: %(default)s)",
    )  # fmt: skip


def plays_of(args: Namespace) -> tuple[Play, ...]:
    """The plays from weak to strong that a study is asked for. InputError for a policy that is there twice."""
    return checked_plays(usual_plays(args.strong, args.second))


def _check_outputs(study: Study, args: Namespace) -> None:
    # Before anything is played: minutes later it would be a pity.
    if args.picture.suffix.lower() != PNG:
        raise InputError(f"picture: {args.picture} does not end in {PNG}")
    if not os.access(args.picture.parent, os.W_OK | os.X_OK):
        raise InputError(
            f"picture: {args.picture} cannot be written: there is no such folder, or it allows no new file"
        )
    for page in args.into:
        marked_text(page, study.marks)


def _print(text: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may lack ± and the like
    try:
        print(text, flush=True)
    except BrokenPipeError:  # `| head` has seen enough; else the interpreter complains when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status
