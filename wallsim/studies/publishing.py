"""Publishing a study: its figures in the register, and the pages and the picture that are made from the register."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.experiment.identity import as_of_engine
from wallsim.folder.commit import write_whole
from wallsim.report.tables.marked_blocks import differing_blocks, marked_text, marks, put_between_marks
from wallsim.studies.catalogue import own_studies, questions
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.published import engine_errors, matcher
from wallsim.studies.register import moved, read_register, register_file, write_register
from wallsim.studies.running import Result, digest_of, picture_bytes
from wallsim.studies.shared_files import read_carried, rows_of
from wallsim.studies.study import FINDING, Choices, Study

PAGES, README, REGISTER = Path("docs") / "studies", "README.md", Path("data") / "figures"
INDEX, LIST = PAGES / "index.md", "studies"  # the page that lists the studies, and the mark of its list
LISTING = "wallsim study --all --page"
RETIRED = "retired.csv"  # ids that were published once and are no longer; none of them may be used again
RETIRED_COLUMNS = ("ids", "reason")


def from_register(study: Study, root: Path | None = None) -> Result:
    """The published result of a study, from the register alone; that of a checkout at `root` if given.

    Its digest is that of today's study with the engine that played.
    """
    path = register_file(study.name) if root is None else root / REGISTER / f"{study.name}.csv"
    figures = read_register(study.name, path)
    with as_of_engine(figures.engine):
        design = study.design(Choices())
        digest = digest_of(study, design)
    return Result(study, Choices(), design, digest, figures, note=carried_words(figures, path.parent))


def carried_words(figures: Figures, folder: Path) -> str:
    """By which engine the figures in a folder of the register were played and to which they were carried, in words.

    Empty if they were not carried.
    """
    carried = read_carried(figures.study, folder)
    if carried is None:
        return ""
    return (
        f"Engine version {figures.engine} played these games. Engine version {carried.engine} played others for "
        f"comparison: none of {carried.figures:,} figures is known to differ (p = {carried.p:.2g}), so all are carried "
        "over."
    )


def as_published(study: Study) -> Result:
    """The published result of a study with the digest that its figures have: whether it is today's is not checked.

    Working out today's takes seconds for some studies; `page_errors` compares both.
    """
    path = register_file(study.name)
    figures = read_register(study.name, path)
    digest, note = next(iter(figures.values())).digest, carried_words(figures, path.parent)
    return Result(study, Choices(), study.design(Choices()), digest, figures, note=note)


def publish(result: Result, root: Path) -> list[str]:
    """Write a full study into the checkout at `root`; returns which figures moved, as `moved` does, and ids to retire.

    InputError for a study that was not played in full, for a retired id, for a checkout without its page, and for rules
    of judging that are not committed.
    """
    study = result.study
    if result.choices != Choices():
        raise InputError(f"publish: {study.name}: only the full study is published; leave the other options out")
    marked_text(page_of(study, root), [FINDING])
    rules = committed(study.folder / study.rules) if study.rules else None
    figures, folder = result.published, root / REGISTER
    published: Mapping[str, Figure] = {}
    changes: list[str] = []
    if errors := retired_errors(figures, folder):
        raise InputError(errors)
    if (path := folder / f"{study.name}.csv").is_file():
        published = read_register(study.name, path)
        todo = f"add this with a reason to {REGISTER.as_posix()}/{RETIRED}"
        changes = moved(published, figures) + [f"{ids}: {todo}" for ids in to_retire(published, figures)]
    facts = {name: each for name, each in (("cpu_seconds", result.cpu_seconds), ("rules", rules)) if each is not None}
    write_register(in_order_of(figures, published), folder, study.question, facts, families_of(study))
    write_page(study, root)
    return changes


def committed(path: Path) -> dict[str, str]:
    """The last commit that changed a file, and its date, by git. InputError if the file is not as it was committed."""
    try:
        log, status = (
            subprocess.run(
                ["git", *words, "--", path.name], cwd=path.parent, capture_output=True, text=True, check=False
            )
            for words in (("log", "-1", "--abbrev=12", "--format=%h %cs"), ("status", "--porcelain"))
        )
    except OSError as error:
        raise InputError(f"{path}: git cannot say which commit it is of: {error}") from None
    if status.returncode or status.stdout or not log.stdout:
        raise InputError(f"{path}: differs from its last commit; commit it before the games that it judges")
    commit, date = log.stdout.split()
    return {"commit": commit, "date": date}


def in_order_of(figures: Figures, published: Mapping[str, Figure]) -> Figures:
    """The figures in the order in which they are published already, new ones last: no line of the register moves."""
    place = {key: number for number, key in enumerate(published)}
    return Figures(figures.study, sorted(figures.values(), key=lambda row: place.get(row.id, len(place))))


def families_of(study: Study) -> dict[str, str]:
    """Which intervals hold together, by quantity."""
    return {each.name: each.family_in_words for each in study.quantities}


def write_page(study: Study, root: Path) -> None:
    """Write the finding of a study into its page, its picture and other pictures, from the register at `root`.

    The register is written, too, so that its codebook has the study's question of today.
    """
    if errors := engine_errors(study.name, root / REGISTER / f"{study.name}.csv"):
        raise InputError(errors)
    result = from_register(study, root)
    write_register(result.published, root / REGISTER, study.question, families=families_of(study))
    put_between_marks([page_of(study, root)], {FINDING: result.page.first_screen}, result.digest, origin(study))
    write_whole(root / PAGES / f"{study.name}.png", picture_bytes(result))
    for name, data in result.files().items():
        if name.endswith((".pdf", ".png")):
            write_whole(root / PAGES / f"{study.name}-{name}", data)
    write_list(root)


def page_errors(study: Study, root: Path) -> list[str]:
    """What differs between the pages of a checkout and the register, one line each: a block, or the register's digest.

    A number changed on a page alone, or in the register alone, is detected here.
    """
    result = from_register(study, root)
    errors = [*engine_errors(study.name, root / REGISTER / f"{study.name}.csv"), *digest_errors(result)]
    try:
        blocks = {FINDING: result.page.first_screen}
    except (KeyError, ValueError) as error:  # a figure is missing, or its interval is another
        return [*errors, f"data/figures/{study.name}.csv: the page cannot be made from it: {error}"]
    page = page_of(study, root)
    shown, command = page.relative_to(root).as_posix(), origin(study)
    stale = differing_blocks(page, blocks, result.digest, command)
    return [*errors, *(f"{shown}: {name}: is not what the register says; `{command} --page` writes it"
                       for name in stale)]  # fmt: skip


def digest_errors(result: Result) -> list[str]:
    """A line for each digest in the register other than that of the study and the engine that played it."""
    study, now = result.study.name, result.digest[:12]
    other = sorted({figure.digest for figure in result.figures.values()} - {now})
    return [f"data/figures/{study}.csv: digest {each}: the study is {now} now" for each in other]


def list_errors(root: Path) -> list[str]:
    """Whether a checkout lists the studies as they are; a line if it does not."""
    page = root / INDEX
    stale = differing_blocks(page, {LIST: study_list()}, "", LISTING) if page.is_file() else []
    return [f"{INDEX.as_posix()}: {name}: is not what the studies say; `{LISTING}` writes it" for name in stale]


def write_list(root: Path) -> None:
    """Write the list of the studies into the page that a checkout has."""
    if (root / INDEX).is_file() and marks(LIST).search((root / INDEX).read_text("utf-8")):
        put_between_marks([root / INDEX], {LIST: study_list()}, "", LISTING)


def study_list() -> str:
    """The studies as a Markdown list of links: the title of each, and what it asks."""
    lines = []
    for name, question in questions().items():
        if name in own_studies():
            title, _, asked = question.partition(": ")
            lines.append(f"- [{title}]({name}.md): {asked}")
    return "\n".join(lines)


def origin(study: Study) -> str:
    """The command that opening marks name."""
    return f"wallsim study {in_shell(study.name)}"


def page_of(study: Study, root: Path) -> Path:
    """The page of a study in a checkout, which has its finding. InputError if it is missing."""
    page = root / PAGES / f"{study.name}.md"
    if not page.is_file():
        raise InputError(f"{page}: is missing; write it first, with marks for {FINDING}")
    return page


def retired_errors(ids: Iterable[str], folder: Path) -> list[str]:
    """The ids that a folder of the register has retired, one line each. InputError if its list is damaged."""
    path = folder / RETIRED
    patterns = [pattern for _, (pattern, _) in rows_of(path, RETIRED_COLUMNS)[1:]] if path.is_file() else []
    any_of = re.compile("|".join(f"(?:{matcher(pattern).pattern})" for pattern in patterns))
    found = filter(any_of.match, ids) if patterns else ()
    return [
        f"{path}: ids: {next(each for each in patterns if matcher(each).match(key))!r} retires {key}" for key in found
    ]


def to_retire(published: Iterable[str], played: Iterable[str]) -> list[str]:
    """The patterns of the published ids that are not played any more, each as short as no other id allows."""
    stay, kept = {*played}, {beginning for key in played for beginning in _beginnings(key)}
    gone = (key for key in published if key not in stay)
    exactly = "{}[{}]".format  # such as a.b[c], which a.bc.d does not match
    return list(dict.fromkeys(
        next((each for each in _beginnings(key) if each not in kept), exactly(key[:-1], key[-1])) for key in gone
    ))  # fmt: skip


def _beginnings(key: str) -> Iterator[str]:
    # From STUDY.QUANTITY on, each up to a full part.
    ends = [found.start() for found in re.finditer("[./@]", key)] + [len(key)]
    return (key[:end] for end in ends[1:] or ends)
