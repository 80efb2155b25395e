"""Running a study: design, games, figures, page and picture, stored in its folder.

The record of a folder says what is played, and at the end the sha256 of every file; it is sealed and written last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import process_time
from typing import Any

from matplotlib.figure import Figure as Picture

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError, short
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.versions import package_version
from wallsim.folder.commit import write_whole
from wallsim.folder.file_stores import file_store
from wallsim.folder.layout import RECORD
from wallsim.folder.study_folder import Record, at_work, finished_record, read_record, remove_leftovers
from wallsim.play.parallel import cluster_sizes
from wallsim.report.figures import style
from wallsim.spreadsheet import spreadsheet
from wallsim.studies.cache import as_data
from wallsim.studies.figure import Figures, quantity_of
from wallsim.studies.notebook import notebook
from wallsim.studies.quantities import figures_of
from wallsim.studies.register import register_text
from wallsim.studies.study import Choices, Page, Study

MOST_GAMES = 1_000_000  # or blocks; the published figures have up to 60,000 of them
FIGURES = "figures.csv"  # in the folder of a study
PACKAGES = ("wallsim", "numpy", "numba", "llvmlite", "polars", "scipy", "matplotlib")
_DEFAULT = Choices()


@dataclass(frozen=True)
class Result:
    """The figures of a study, and the page and the picture made from them."""

    study: Study
    choices: Choices
    design: Any = field(repr=False)
    digest: str
    figures: Figures = field(repr=False)
    cpu_seconds: int | None = None  # of all its games and figures; None if some were stored, or played elsewhere
    note: str = ""  # below the first screen

    @cached_property
    def page(self) -> Page:
        """The texts of the page, made from the figures."""
        page = self.study.page(self.figures, self.design)
        return page._replace(first_screen=f"{page.first_screen}\n\n{self.note}") if self.note else page

    @property
    def text(self) -> str:
        """The whole text, as it is printed."""
        return self.page.text

    def picture(self) -> Picture:
        """The picture, made from the figures."""
        return self.study.picture(self.figures, self.design)

    @property
    def published(self) -> Figures:
        """The figures that are published: all but those that nothing shows."""
        declared = {each.name: each for each in self.study.quantities}
        rows = {row: declared.get(quantity_of(row.id)) for row in self.figures.values()}
        return Figures(self.study.name, (row for row, of in rows.items() if of is None or of.publishes(row)))

    def files(self) -> Mapping[str, bytes]:
        """More files for the study's folder, by name."""
        return {} if self.study.files is None else self.study.files(self.figures, self.design)


def checked_choices(study: Study, choices: Choices) -> Choices:
    """The choices as the design gets them. InputError for one that the study does not have."""
    if choices.games is not None and not study.games:
        raise InputError(f"games: the study {study.name} has no such option; leave it out")
    if choices.games is not None and not 1 <= choices.games <= MOST_GAMES:
        raise InputError(f"games: {short(choices.games)} is not a whole number from 1 to {MOST_GAMES}")
    known = [option.name for option in study.options]
    for name in choices.options:
        if name not in known:
            raise InputError(f"options: {name}: the study {study.name} has {', '.join(known) or 'no own ones'}")
    if not choices.quick:
        return choices
    look = study.quick
    return Choices(choices.games or look.games, look.quick, {**look.options, **choices.options})


def digest_of(study: Study, design: Any) -> str:
    """The hash of everything that decides a study's figures."""
    facts = {"study": study.name, "count_version": study.count_version}
    return identity_hash({**facts, "design": as_data(study.identity(design))})


def play_study(study: Study, folder: str | Path, choices: Choices = _DEFAULT, *, workers: int | None = None) -> Result:
    """Play what is missing in a folder, and estimate; nothing is written beside what is played.

    InputError for invalid choices, before anything is played.
    """
    design = study.design(checked_choices(study, choices))
    digest = digest_of(study, design)  # raises for a wrong experiment before anything is played
    elsewhere = bool(cluster_sizes) or any(path.is_dir() for path in Path(folder).glob("*"))
    started = process_time()
    values = study.play(design, study.storage(folder, workers))
    figures = figures_of(study.name, study.quantities, values, study.experiment().seed, digest)
    seconds = None if elsewhere else round(process_time() - started)
    return Result(study, choices, design, digest, figures, seconds)


def run_study(study: Study, folder: str | Path, choices: Choices = _DEFAULT, *, workers: int | None = None) -> Result:
    """Play a study in a folder, and write there its figures, page, picture and record, the record last."""
    folder = Path(folder)
    about = {"name": study.name, "options": options_of(choices), "engine_version": ENGINE_VERSION,
             "packages": packages()}  # fmt: skip
    with ExitStack() as stack:
        with recorded(folder, about):
            stack.enter_context(at_work(folder, remove_leftovers))
            result = play_study(study, folder, choices, workers=workers)
        write_result(result, folder)
        write_whole(folder / RECORD, finished_record(folder, {**about, "digest": result.digest}).document())
    return result


def write_result(result: Result, folder: Path, *, home: Path | None = None) -> None:
    """Write the figures, their page as Markdown and as a notebook, the picture and the study's own files.

    The notebook is that of the folder `home` if given, of which `folder` is a copy.
    """
    study = result.study
    numbers = {
        f"{study.name}.md": f"{result.text.strip()}\n".encode(),
        FIGURES: spreadsheet(register_text(result.figures)),
        f"{study.name}.ipynb": notebook(study, home or folder, result.choices),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in numbers.items():
        write_whole(folder / name, data)
    for name, data in {f"{study.name}.png": picture_bytes(result), **result.files()}.items():
        write_whole(folder / name, data)


def picture_bytes(result: Result) -> bytes:
    """The picture as PNG; PictureError if it cannot be drawn."""
    return style.picture_bytes(result.picture, f"{result.study.name}.png", result.study.colours)


def options_of(choices: Choices) -> list[str]:
    """The options of the command that decide a study's figures and differ from its own, such as --quick."""
    words = [] if choices.games is None else ["--games", str(choices.games)]
    words += ["--quick"] if choices.quick else []
    return words + [word for name, value in choices.options.items() for word in ("--set", f"{name}={value}")]


def choices_of(options: Sequence[str]) -> Choices:
    """The choices that `options_of` wrote. ValueError for other words."""
    words, result = iter(options), Choices()
    for word in words:
        if word == "--games":
            result = replace(result, games=int(next(words, "")))
        elif word == "--quick":
            result = replace(result, quick=True)
        elif word == "--set":
            name, _, value = next(words, "").partition("=")
            result = replace(result, options={**result.options, name: value})
        else:
            raise ValueError(f"{word} is not an option of a study")
    return result


def packages() -> dict[str, str]:
    """The versions of the packages that decide the bytes of a study's files."""
    return {name: package_version(name) for name in PACKAGES}


@contextmanager
def recorded(folder: Path, about: dict[str, Any]) -> Iterator[None]:
    """Record that a study is unfinished, unless the same one is finished in its folder, which is made if missing.

    After invalid input, by which nothing is played, the record is the one of before, and no new folder is left.
    """
    path = folder / RECORD
    if _is_finished(folder, about):
        yield
        return
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.is_file() else None
    write_whole(path, Record(about).document())
    try:
        yield
    except InputError:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, before)
        with suppress(OSError):  # something was written there all the same
            for each in made:
                each.rmdir()
        raise


def _is_finished(folder: Path, about: Mapping[str, Any]) -> bool:
    try:
        result = read_record(file_store(folder))
    except RunError:
        return False
    return result is not None and result.finished and {**result.about, "digest": None} == {**about, "digest": None}
