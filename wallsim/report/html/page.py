"""Pages of HTML in one file: a template with its style and script in it, and a policy that keeps the page offline."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from wallsim.escaping import escaped_line
from wallsim.folder.address import Folder, Url
from wallsim.report.tables.estimates import number

COMMON = Path(__file__).with_name("templates")  # the frame of every page, the style, and scripts that pages share
_CLOSED = "default-src 'none'; form-action 'none'; base-uri 'none'"  # the latter two do not follow from the first
STYLES = ("style.css",)
SCRIPTS = ("tables.js",)


def rendered(
    template: str, folder: Path, *, styles: Sequence[str] = STYLES, scripts: Sequence[str] = SCRIPTS,
    draws: bool = False, **facts: Any,
) -> str:  # fmt: skip
    """A page from a template of a folder or of those that pages share, with `facts` as its variables.

    The files named by `styles` and `scripts`, of the same two folders, are written into the page in this order. The
    page's policy allows them alone, and no network; where a script `draws` pictures into files, images of the page
    itself, too.
    """
    style, script = _joined(folder, tuple(styles)), _joined(folder, tuple(scripts))
    policy = f"{_CLOSED}; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    policy += "; img-src data:" if draws else ""
    return _environment(folder).get_template(template).render(
        style=Markup(style), script=Markup(script), policy=policy, **facts
    )  # fmt: skip


def page_names(folders: Sequence[Folder]) -> list[str]:
    """What a page calls folders: by their last names, after the folder above where these are equal.

    A page is shown to others, whom paths on its writer's machine do not concern.
    """
    places = [each if isinstance(each, Url) else Path(os.path.abspath(each)) for each in folders]
    names = [place.name for place in places]
    if len(set(names)) < len(set(places)):
        names = [place.name if place.parent == Path.home() else f"{place.parent.name}/{place.name}" for place in places]
    return list(map(escaped_line, names))


def json_block(data: Any) -> Markup:
    """Data as JSON for a block of a page, which no text in it can end."""
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def style(*more: Path) -> str:
    """The style that pages share, and those of more files, for pictures in files of their own."""
    return "\n".join([_joined(COMMON, STYLES), *(path.read_text("utf-8") for path in more)])


@cache
def _environment(folder: Path) -> Environment:
    made = Environment(
        loader=FileSystemLoader([folder, COMMON]), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["signed"] = partial(number, sign="+")
    return made


@cache
def _joined(folder: Path, names: tuple[str, ...]) -> str:
    paths = (folder / name if (folder / name).exists() else COMMON / name for name in names)
    return "\n".join(path.read_text("utf-8") for path in paths)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
