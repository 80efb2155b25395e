"""What the README of a checkout says of the studies: a block of text, and a picture."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from textwrap import fill

from wallsim.folder.commit import write_whole
from wallsim.report.html.page import style
from wallsim.report.html.svg import standalone
from wallsim.report.tables.marked_blocks import differing_blocks, marks, put_between_marks
from wallsim.report.tables.traced import unmarked
from wallsim.studies.catalogue import load_study
from wallsim.studies.publishing import LISTING, README, as_published

from .front import fixes
from .html import FRONT_STYLE
from .texts import README as TEXT
from .texts import Known, read_texts, written

FINDINGS, PICTURE = "findings", Path("docs") / "what-wins.svg"
_WIDTH = 120  # columns of a page


@cache
def for_readme() -> tuple[str, str]:
    """What the README says of the studies, as Markdown, and its picture as SVG."""
    known = Known({name: as_published(load_study(name)) for name in ("lineups", "play", "expansions")})
    text = unmarked(written(read_texts()[TEXT], known)).strip().replace("](../", "](docs/")
    lines = (" ".join(each.split()) for each in re.sub(r"\n(?=- |\n)", "\0", text).split("\0"))
    wrapped = (fill(each, _WIDTH, subsequent_indent="  " * each.startswith("- "), break_on_hyphens=False)
               for each in lines)  # fmt: skip
    return "\n".join(wrapped), standalone(fixes(known.read), style(FRONT_STYLE), paper=True)


def write_readme(root: Path) -> None:
    """Write both into a checkout that has places for them."""
    text, picture = for_readme()
    if (root / README).is_file() and marks(FINDINGS).search((root / README).read_text("utf-8")):
        put_between_marks([root / README], {FINDINGS: text}, "", LISTING)
    if (root / PICTURE).is_file():
        write_whole(root / PICTURE, picture.encode())


def readme_errors(root: Path) -> list[str]:
    """Whether both are what the register says; a line for each that is not."""
    text, picture = for_readme()
    stale = [f"{README}: {name}" for name in differing_blocks(root / README, {FINDINGS: text}, "", LISTING)]
    if (root / PICTURE).read_text("utf-8") != picture:
        stale.append(PICTURE.as_posix())
    return [f"{each}: is not what the studies say; `{LISTING}` writes it" for each in stale]
