"""The pages of the report as files, made from the register, and writing them into a folder."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any

import polars as pl
from matplotlib.figure import Figure as Picture
from matplotlib.patches import Rectangle

from wallsim import __version__
from wallsim.analysis.claims.cells import CASUAL, Cell
from wallsim.errors import InputError
from wallsim.folder.commit import write_whole
from wallsim.policies.exploitability import FILE
from wallsim.report.figures.style import ACCENT, FAINT, INK, save_picture, styled
from wallsim.report.html.page import style
from wallsim.report.html.svg import Dot, dots, standalone
from wallsim.report.html.translation import ENGLISH, messages, translated
from wallsim.report.tables.traced import unmarked
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ROUND_NAMES
from wallsim.spreadsheet import spreadsheet
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import CASUAL_BOTS, STRONG_BOTS, bots_of
from wallsim.studies.grids import Grid, estimate, with_ends
from wallsim.studies.published import figures, published_studies
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE, SIZES

from ..draft.drafters import TABLE
from ..draft.picture import rules_of
from ..lineups.games import FIXED_PLAYS, PRINTED, letters_of
from ..lineups.study import advice, versions_of
from ..tiles.study import LARGEST_BID, bids
from . import counties, group_sheet, openings
from .chapters import EXPLOITED, GROUPS, chapter_of, claims, complete_register, finding_of, players, results
from .draft_help import gain_of
from .front import BOTS, charts
from .group_sheet import fairer
from .html import as_html, as_line, engine_words, rendered
from .texts import FRONT, Known, written_texts

INDEX, CHAPTERS, TONIGHT, COUNTIES = "index.html", "chapters.html", "tonight.html", "counties.html"
OPENINGS, DATA = "openings.html", "data"
PICTURES = "pictures"
share_words = estimate(1, top=100.0)


def write_report(
    folder: str | Path, language: str = ENGLISH, *, with_cards: bool = False, url: str = "",
    watch: Callable[[int, int], None] | None = None,
) -> list[str]:  # fmt: skip
    """Write the strategy report into a folder, the first page last; returns the names of its files.

    Files of an earlier report are replaced; nothing is written before all pages are made. `report_files` says what the
    others are. InputError if the register lacks a study or a figure, for a folder that is a file, for an unknown
    language, and for an address that is none of a folder on the web.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: {folder}: is a file; name a folder for the report")
    if url and not re.fullmatch(r"https?://[^\s\"'<>?#]+", url):
        raise InputError(f"--url: {url!r} is not the address of a folder, such as https://example.org/wallenstein")
    with complete_register():
        files = report_files(language, with_cards=with_cards, url=url.rstrip("/"), watch=watch)
    for name in sorted(files, key=lambda each: each == INDEX):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])
    return list(files)


def report_files(
    language: str = ENGLISH, *, with_cards: bool = False, url: str = "", watch: Callable[[int, int], None] | None = None
) -> dict[str, bytes]:
    """All files of the report by name.

    With cards there is a picture of each finding for sharing; `url` is the address at which the pages will lie, so that
    their picture is known by its whole address. In another language the pages to print are whole, and of the others
    titles and labels. `watch` is called with the number of chapters that are made, and of all. InputError for a
    language without a catalogue, and if the register lacks a study; KeyError with the id of a figure that it lacks.
    """
    if language != ENGLISH:
        messages(language)
    found = results()
    for done, result in enumerate(found.values()):
        if watch is not None:
            watch(done, len(found))
        finding_of(result)  # keeps its page, which takes most of the time
    pages = {
        INDEX: index(found, with_cards=with_cards, url=url), CHAPTERS: chapters(found), TONIGHT: tonight(found),
        COUNTIES: counties.page(found), OPENINGS: openings.page(_files_of(openings.STUDY)),
        **{f"tonight-{size}.html": group_sheet.sheet(found, size, home=INDEX) for size in SIZES},
    }  # fmt: skip
    if language != ENGLISH:
        pages = {name: translated(page, language, whole=name.startswith("tonight")) for name, page in pages.items()}
    return {
        **{name: text.encode() for name, text in pages.items()}, **data_files(), **picture_files(found),
        **(card_files(found, *written_texts(Known(found))[FRONT][0]) if with_cards else {}),
    }  # fmt: skip


def index(found: Mapping[str, Result], *, with_cards: bool = False, url: str = "") -> str:
    """The first page: a headline and questions that players ask, each with a number, a chart and its limits."""
    known, html = Known(found), partial(as_html, chapters=frozenset(found), page=CHAPTERS)
    (title, lead), *questions = (
        (heading, body.split("\n\n")) for heading, body in written_texts(known)[FRONT]
    )  # fmt: skip
    drawn = charts(known.read)
    drawn["Which county should I pick?"] = [
        counties.map_of(found["draft"], COUNTIES, play) for play in ("casual", "strong")
    ]
    return rendered(
        "index.html.j2", scripts=(), title=as_line(title), lead=[html(each) for each in lead], cards=with_cards,
        url=url,
        questions=[(heading, [html(each) for each in body], drawn[heading]) for heading, body in questions],
        hero=dict(zip(BOTS.values(), drawn[""], strict=True)), bots=list(BOTS.values()),
    )  # fmt: skip


def chapters(found: Mapping[str, Result]) -> str:
    """Every study's chapter, line-ups, the claims, and who played."""
    line, html = (partial(make, chapters=frozenset(found)) for make in (as_line, as_html))
    texts, line_ups = written_texts(Known(found)), lineup_facts(found["lineups"])
    written = {name: [(line(title), html(body)) for title, body in parts] for name, parts in texts.items()}
    groups = {}
    for group, names in GROUPS.items():
        chapters = [chapter_of(found[name], _files_of(name), line_ups["texts"] if name == "lineups" else ())
                    for name in names]  # fmt: skip
        groups[group] = (*written[group][0], chapters)
    return rendered(
        "chapters.html.j2", groups=groups, html=html, map=counties.map_of(found["draft"], COUNTIES), claims=claims(),
        players=players(),
        figures=sum(len(result.figures) for result in found.values()), studies=published_studies(), **line_ups,
    )  # fmt: skip


def _files_of(study: str) -> dict[str, str]:
    """The files of a chapter, and what each has."""
    every = {f"{DATA}/{study}.csv": "all figures of the study as CSV"}
    if study == "lineups":
        return every | {f"{PICTURES}/lineups-{size}.svg": f"wins by line-up, {size} players" for size in SIZES}
    return every | ({f"{PICTURES}/counties.svg": "map of the counties"} if study == "draft" else {})


def lineup_facts(result: Result) -> dict[str, Any]:
    """What `templates/lineups.html.j2` shows, and in `texts` all words with figures beyond those of advice."""
    figures, cells = result.figures, dict.fromkeys(SIZES, result.design.cells)
    changes = {
        players: "\n\n".join(_imbalances(versions_of(figures, players, play)).text(figures) for play in FIXED_PLAYS)
        for players in SIZES
    }
    words = [share_words(share) for players in SIZES for cell in cells[players]
             for share in shares_of(figures, players, cell).values()]  # fmt: skip
    return {
        "cells": cells, "bots": bots_of, "first": (4, CASUAL_TABLE), "changes": changes,
        "texts": [*words, *changes.values()], "picture": partial(picture_of, figures),
        "advice": partial(advice_of, figures), "spread": partial(spread_of, figures),
    }  # fmt: skip


def _imbalances(versions: Grid) -> Grid:
    # Of the versions alone, since the page says once what they are, and shows the wins as printed.
    towers = [column for column in versions.columns if "tower" in column.at]
    return replace(versions, columns=towers, under="")


def shares_of(figures: Figures, players: int, cell: Cell) -> dict[str, Figure]:
    """The wins of each printed line-up in a cell, in per cent."""
    return {letter: figures.of("wins", letter, players=players, cell=cell) for letter in letters_of(players)}


def picture_of(figures: Figures, players: int, cell: Cell) -> str:
    """Wins of the printed line-ups in a cell, with intervals; it is narrow enough for a telephone."""
    rows = {letter: Dot(each.value, *(each.ends or (each.value, each.value)), share_words(each))
            for letter, each in shares_of(figures, players, cell).items()}  # fmt: skip
    title = f"Wins of the printed line-ups, {players} {bots_of(cell.play)}, tower {cell.tower}"
    return dots(rows, 100 / players, title, "%")


def spread_of(figures: Figures, players: int, cell: Cell) -> str:
    """The imbalance in a cell as printed."""
    return with_ends(1)(figures.of("imbalance", PRINTED, players=players, cell=cell))


def advice_of(figures: Figures, players: int, cell: Cell) -> str:
    """What the bots of a cell should do, in a sentence; empty for bots that have no fixes of their own."""
    return f"Under all three towers: {advice(figures, players, cell.play)}." if cell.play in FIXED_PLAYS else ""


def picture_files(found: Mapping[str, Result]) -> dict[str, bytes]:
    """The pictures of the first page as files of SVG, with the style in them."""
    figures = found["lineups"].figures
    drawn = {f"lineups-{size}": picture_of(figures, size, CASUAL_TABLE) for size in SIZES}
    drawn["counties"] = counties.map_of(found["draft"], f"../{COUNTIES}")
    return {f"{PICTURES}/{name}.svg": unmarked(standalone(each, style())).encode() for name, each in drawn.items()}


def card_files(found: Mapping[str, Result], title: str, text: str) -> dict[str, bytes]:
    """The cards of the findings of studies, and that of the first page: its title and text."""
    files = {"index": share_card(title, [" ".join(text.partition("\n\n")[0].split())])}
    for name, finding in ((name, finding_of(result)) for name, result in found.items()):
        said = finding.sentences().items()
        bots = [f"{label}: {text}" for label, text in said if label in (CASUAL_BOTS, STRONG_BOTS)]
        files[name] = share_card(finding.title, bots)
    return {f"cards/{name}.png": data for name, data in files.items()}


def tonight(found: Mapping[str, Result]) -> str:
    """One side of paper for the table."""
    draft, tiles, line_ups = found["draft"], found["tiles"], found["lineups"].figures
    worth, regions = partial(counties.worth_of, draft.figures), dict[str, list[str]]()
    for card in sorted(counties.cards(draft), key=lambda card: (card["region"], -worth(card["name"], CASUAL).value)):
        regions.setdefault(card["region"], []).append(card["name"])

    return rendered(
        "tonight.html.j2", fairer={size: fairer(line_ups, size) for size in SIZES},
        thalers=group_sheet.thalers(found["price"].figures), cards=group_sheet.worst_cards(found["events"].figures),
        bids=bids(tiles.figures, tiles.design), rounds=ROUND_NAMES, largest=LARGEST_BID, regions=regions, worth=worth,
        plays=list(counties.PLAYS), tips=group_sheet.tips(found["play"].figures),
        rules=rules_of(draft.figures, draft.design, (CASUAL,)),
        gains=[estimate(1, "+")(gain_of(draft.figures, TABLE, play)) for play in counties.PLAYS],
    )  # fmt: skip


def data_files() -> dict[str, bytes]:
    """Every published figure as CSV, Parquet and JSON by column, those of each study as CSV, and best responses."""
    table, parquet = figures(), io.BytesIO()
    table.write_parquet(parquet)
    columns = table.select(pl.all().implode()).write_json()  # in a list of one row
    texts = {"figures": table.write_csv(), EXPLOITED: (data_folder("policies") / FILE).read_text("utf-8")}
    texts |= {study: register_text(read_register(study)) for study in published_studies()}
    return {
        f"{DATA}/figures.parquet": parquet.getvalue(), f"{DATA}/figures.json": columns[1:-1].encode(),
        **{f"{DATA}/{name}.csv": spreadsheet(text) for name, text in texts.items()},
    }  # fmt: skip


SIZE, _DOTS, _COLOURS = (1200, 630), 100, 16  # pixels, dots an inch, colours
_TITLE, _TEXT, _SMALL = 27, 19, 13  # points
_WIDE, _NARROW = 50, 82  # letters in a line of the title and of the text
_LEFT, _TOP, _LEADING = 0.06, 0.90, 1.35


def share_card(title: str, lines: Sequence[str]) -> bytes:
    """A card as PNG, the same bytes each time: a title, paragraphs, and the version that made it."""
    drawn = io.BytesIO()
    save_picture(drawn_card(title, lines), drawn, _DOTS, _COLOURS)
    return drawn.getvalue()


@styled
def drawn_card(title: str, lines: Sequence[str]) -> Picture:
    """A card as a picture of matplotlib."""
    picture = Picture(figsize=(SIZE[0] / _DOTS, SIZE[1] / _DOTS))
    picture.set_layout_engine("none")
    picture.patch.set_facecolor("white")
    y = _put(picture, wrap(unmarked(title), _WIDE), _TOP, _TITLE, INK, "bold") - 0.05
    for line in lines:
        y = _put(picture, wrap(unmarked(line), _NARROW), y, _TEXT, INK, "normal") - 0.03
    footer = f"Wallenstein, from games of bots. wallsim {__version__}, {engine_words()}"
    _put(picture, [footer], 0.08, _SMALL, FAINT, "normal")
    bar = Rectangle((0.0, 0.0), 0.015, 1.0, transform=picture.transFigure, facecolor=ACCENT, edgecolor="none")
    picture.add_artist(bar)
    return picture


def _put(picture: Picture, lines: Sequence[str], top: float, points: int, colour: str, weight: str) -> float:
    """Write lines from a height down; returns the height below them, as a share of the card."""
    step = points * _LEADING / 72 * _DOTS / SIZE[1]
    for place, line in enumerate(lines):
        picture.text(_LEFT, top - place * step, line, fontsize=points, color=colour, fontweight=weight, va="top")
    return top - len(lines) * step
