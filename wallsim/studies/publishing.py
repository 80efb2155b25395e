"""Publishing a study: its figures in the register, and the pages and the picture that are made from the register."""

from __future__ import annotations

from pathlib import Path

from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.report.tables.marked_blocks import differing_blocks, marked_text, marks, put_between_marks
from wallsim.runs.folder.commit import write_whole
from wallsim.studies.catalogue import load_study, own_studies, questions
from wallsim.studies.register import moved, read_register, register_text
from wallsim.studies.running import Result, digest_of, picture_bytes
from wallsim.studies.study import FINDING, TABLES, Choices, Study

PAGES, README, REGISTER = Path("docs") / "studies", "README.md", Path("data") / "figures"
INDEX, LIST = PAGES / "index.md", "studies"  # the page that lists the studies, and the mark of its list
QUOTED, QUOTES = ("play", "lineups", "draft"), "findings"  # what the README quotes, and its mark
_LISTING = "wallsim study --all --page"


def from_register(study: Study, root: Path | None = None) -> Result:
    """The published result of a study, from the register alone; that of a checkout at `root` if given."""
    design = study.design(Choices())
    path = None if root is None else root / REGISTER / f"{study.name}.csv"
    return Result(study, Choices(), design, digest_of(study, design), read_register(study.name, path))


def as_published(study: Study) -> Result:
    """The published result of a study with the digest that its figures have: whether it is today's is not checked.

    Working out today's takes seconds for some studies; `page_errors` compares both.
    """
    figures = read_register(study.name)
    return Result(study, Choices(), study.design(Choices()), next(iter(figures.values())).digest, figures)


def publish(result: Result, root: Path) -> list[str]:
    """Write a full study into the checkout at `root`; returns which figures moved, as `moved` does.

    InputError for a study that was not played in full, and for a checkout without its page.
    """
    study = result.study
    if result.choices != Choices():
        raise InputError(f"publish: {study.name}: only the full study is published; leave the other options out")
    for page in pages_of(study, root):
        marked_text(page, list(result.blocks()))
    path = root / REGISTER / f"{study.name}.csv"
    changes = moved(read_register(study.name, path), result.published) if path.is_file() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, register_text(result.published).encode())
    write_page(study, root)
    return changes


def write_page(study: Study, root: Path) -> None:
    """Write the blocks of a study's pages, its picture and other pictures, from the register at `root`."""
    result = from_register(study, root)
    put_between_marks(pages_of(study, root), result.blocks(), result.digest, origin(study))
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
    other = sorted({figure.digest for figure in result.figures.values()} - {result.digest[:12]})
    errors = [f"data/figures/{study.name}.csv: digest {each}: the study is {result.digest[:12]} now" for each in other]
    try:
        blocks = result.blocks()
    except (KeyError, ValueError) as error:  # a figure is missing, or its interval is another
        return [*errors, f"data/figures/{study.name}.csv: the page cannot be made from it: {error}"]
    for page in pages_of(study, root):
        shown = page.relative_to(root).as_posix()
        for name in differing_blocks(page, blocks, result.digest, origin(study)):
            errors.append(
                f"{shown}: {name}: is not what the register says; `wallsim study {in_shell(study.name)} --page` writes "
                "it"
            )
    return errors


def list_errors(root: Path) -> list[str]:
    """Whether a checkout lists and quotes the studies as they are; a line for each block that does not."""
    stale = [
        (page, name)
        for page, blocks in _overviews(root).items()
        for name in differing_blocks(page, blocks, "", _LISTING)
    ]
    return [
        f"{page.relative_to(root).as_posix()}: {name}: is not what the studies say; `{_LISTING}` writes it"
        for page, name in stale
    ]


def write_list(root: Path) -> None:
    """Write the list of the studies and the findings that the README quotes, into the pages that a checkout has."""
    for page, blocks in _overviews(root).items():
        if all(marks(name).search(page.read_text("utf-8")) for name in blocks):
            put_between_marks([page], blocks, "", _LISTING)


def _overviews(root: Path) -> dict[Path, dict[str, str]]:
    # The README quotes some findings; it has no list of studies, which grows with each of them.
    pages = {root / INDEX: {LIST: study_list()}, root / README: {QUOTES: quoted_findings(root)}}
    return {page: blocks for page, blocks in pages.items() if page.is_file()}


def quoted_findings(root: Path) -> str:
    """The findings that the README quotes, as a Markdown list: title and box of each study that is published."""
    lines = []
    for name in QUOTED:
        if not (root / REGISTER / f"{name}.csv").is_file():
            continue
        try:
            finding = from_register(load_study(name), root).page.finding
        except (KeyError, ValueError, InputError):  # `page_errors` says of the study's own page what is missing
            continue
        if finding is not None:
            sentences = [f"{label}: {text}" for label, text in finding.sentences().items()]
            lines.append(f"- **[{finding.title}]({(PAGES / name).as_posix()}.md)** {' '.join(sentences[:2])}")
    return "\n".join(lines)


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


def pages_of(study: Study, root: Path) -> list[Path]:
    """The two pages of a study in a checkout, and the README if it has a place for one of its blocks.

    The first page has the finding, the second all tables. InputError if one of them is missing.
    """
    readme = root / README
    pages = [root / PAGES / f"{study.name}{end}.md" for end in ("", f"-{TABLES}")]
    for page, mark in zip(pages, (FINDING, TABLES), strict=True):
        if not page.is_file():
            raise InputError(f"{page}: is missing; write it first, with marks for {mark}")
    text = readme.read_text("utf-8") if readme.is_file() else ""
    return [*pages, *([readme] if any(marks(name).search(text) for name in study.marks) else [])]
