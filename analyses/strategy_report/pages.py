"""The pages of the report as files: texts by name, made from the register."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from wallsim import __version__
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT
from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.exploitability import FILE
from wallsim.report.html.page import json_block, style
from wallsim.report.html.svg import map_of_counties, standalone
from wallsim.report.map.board_map import load_map
from wallsim.report.tables.traced import unmarked
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ROUND_NAMES
from wallsim.spreadsheet import spreadsheet
from wallsim.stats.intervals import LEVEL
from wallsim.studies.catalogue import load_study
from wallsim.studies.published import figures, published_studies
from wallsim.studies.publishing import as_published
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import Result

from ..tiles.bids import BIDS, LARGEST_BID, bids
from .chapters import GROUPS, Chapter, chapter_of, claims, results
from .counties import PLAYS, CountyCard, county_cards, rules, share_words
from .draft_help import draft_data, gains
from .fought import fought
from .frames import File, Frame, frame_of
from .html import as_html, rendered
from .layers import layers, worth_layers
from .lineups import FIRST, SIZES, Lineups, lineups
from .openings import sizes as opening_sizes
from .pairs import pair_rows
from .players import EXPLOITED, players
from .reading import reading
from .sentences import Known, written
from .texts import HEADLINE, parted, read_texts
from .tonight import fairer, rules_by_table, sayings, worst_cards
from .translation import ENGLISH, messages, translated

INDEX, TONIGHT, COUNTIES, OPENINGS, DATA = "index.html", "tonight.html", "counties.html", "openings.html", "data"
PICTURES = "pictures"
_SHOWN = 1  # the place in PLAYS of the kind of play that colours the map: experienced players, first line


def report_files(
    language: str = ENGLISH, *, with_cards: bool = False, url: str = "", watch: Callable[[int, int], None] | None = None
) -> dict[str, bytes]:
    """All files of the report by name.

    With cards there is a picture of each finding for sharing; `url` is the address at which the pages will lie, so that
    their picture is known by its whole address. In another language the page to print is whole, and of
    the others titles and labels. `watch` is called with the number of chapters that are made, and of all. InputError
    for a language without a catalogue, and if the register lacks a study or a figure.
    """
    if language != ENGLISH:
        messages(language)
    found = results()
    for done, result in enumerate(found.values()):
        if watch is not None:
            watch(done, len(found))
        chapter_of(result)  # keeps its page, which takes most of the time
    cards, sizes = county_cards(found["draft"]), lineups(found["lineups"])
    pages = {
        INDEX: index(found, cards, sizes, with_cards=with_cards, url=url),
        TONIGHT: tonight(found, cards),
        COUNTIES: counties(found, cards),
        OPENINGS: openings(),
    }
    if language != ENGLISH:
        names = printed_names()
        pages = {name: translated(page, language, names, whole=name == TONIGHT) for name, page in pages.items()}
    return {
        **{name: text.encode() for name, text in pages.items()},
        **data_files(),
        **picture_files(sizes, cards),
        **(cards_of(found) if with_cards else {}),
    }


def printed_names() -> tuple[str, ...]:
    """The names of counties and regions, which stay as they are printed in every language."""
    board = load_board()
    return (*board.counties, *board.regions)


def index(
    found: Mapping[str, Result], cards: list[CountyCard], sizes: list[Lineups],
    texts: Mapping[str, str] | None = None, *, with_cards: bool = False, url: str = "",
) -> str:  # fmt: skip
    """The first page: headline, takeaways, line-ups, every study's chapter, the claims, and who played.

    `texts` are those that people write, by default those that ship.
    """
    chapters = {name: chapter_of(result) for name, result in found.items()}
    names = frozenset(chapters)
    return rendered(
        "index.html.j2", **_facts(), cards=with_cards, url=url, written=reading(Known(found), GROUPS, texts),
        groups={group: [chapters[name] for name in each] for group, each in GROUPS.items()},
        frames={name: frame_of_chapter(chapter, found[name], sizes) for name, chapter in chapters.items()},
        tables={name: as_html(chapter.table, names) for name, chapter in chapters.items()},
        sizes=sizes, first=FIRST,
        changes={each.players: as_html(each.changes) for each in sizes},
        map=county_map(cards, COUNTIES), claims=claims(), players=players(),
        figures=sum(chapter.figures for chapter in chapters.values()), studies=published_studies(),
    )  # fmt: skip


def cards_of(found: Mapping[str, Result]) -> dict[str, bytes]:
    """The picture cards of all findings, and that of the first page."""
    from .cards import card_files  # draws, which takes seconds

    headline = parted(written(read_texts()[HEADLINE], Known(found)))
    opening = " ".join(headline.opening.split())
    return card_files([chapter_of(result) for result in found.values()], (headline.title, opening))


def frame_of_chapter(chapter: Chapter, result: Result, sizes: list[Lineups]) -> Frame:
    """The frame of a chapter; that of line-ups has the figures of its charts and tables of all numbers of players."""
    texts = [chapter.finding.title, *chapter.finding.sentences().values(), chapter.table]
    files = [File(place, words) for place, words in pictures_of(chapter.name).items()]
    if chapter.name == "lineups":
        texts += [share.text for size in sizes for row in size.rows for share in row.shares]
        texts += [size.changes for size in sizes]
    return frame_of(chapter.finding.title, chapter.method, result.figures, chapter.seed, texts, files)


def pictures_of(study: str) -> dict[str, str]:
    """The files of the pictures in the chapter of a study, and what each shows."""
    if study == "lineups":
        return {f"{PICTURES}/lineups-{players}.svg": f"wins by line-up, {players} players" for players in SIZES}
    return {f"{PICTURES}/counties.svg": "map of the counties"} if study == "draft" else {}


def picture_files(sizes: list[Lineups], cards: list[CountyCard]) -> dict[str, bytes]:
    """The pictures of the first page as files of SVG, with the style in them."""
    drawn = {f"{PICTURES}/lineups-{size.players}.svg": chart(size) for size in sizes}
    drawn[f"{PICTURES}/counties.svg"] = county_map(cards, f"../{COUNTIES}")
    return {name: unmarked(standalone(picture, style())).encode() for name, picture in drawn.items()}


def tonight(found: Mapping[str, Result], cards: list[CountyCard]) -> str:
    """One side of paper for the table."""
    chapters = {name: chapter_of(found[name]) for name in ("price", "events", "draft")}
    by_region: dict[str, list[CountyCard]] = {}
    for card in cards:
        by_region.setdefault(card.region, []).append(card)
    regions = {name: sorted(each, key=_casual, reverse=True) for name, each in by_region.items()}
    tiles = found["tiles"]
    return rendered(
        "tonight.html.j2", **_facts(), chapters=chapters, fairer=fairer(found["lineups"]), bids_head=BIDS,
        bids=bids(tiles.figures, tiles.design), rounds=ROUND_NAMES, largest=LARGEST_BID, regions=regions,
        plays=list(PLAYS), sayings=sayings(found["play"]), rules=rules_by_table(found["draft"]),
        worst=worst_cards(found["events"]),
    )  # fmt: skip


def counties(found: Mapping[str, Result], cards: list[CountyCard]) -> str:
    """The counties: the map, a table and a card for each, and help in a draft."""
    draft, contested = found["draft"], fought(found["play"])
    colours = layers(cards, contested)
    data = {"ground": draft_data(draft, cards), "layers": {each.name: each._asdict() for each in colours}}
    return rendered(
        "counties.html.j2", **_facts(), map=county_map(cards), cards=cards, plays=PLAYS, chapter=chapter_of(draft),
        codes={card.name: card.code for card in cards}, layers=colours, shown=colours[_SHOWN].name,
        kinds=list(data["ground"]["tables"]), gains=gains(draft), share=share_words, rules=rules(draft),
        data=json_block(data), fought=contested, pairs=pair_rows(draft),
    )  # fmt: skip


def openings() -> str:
    """The first plans of each line-up, with the chapter of their study.

    Its tables name the ids of their numbers once, since there are thousands.
    """
    result = as_published(load_study("openings"))
    chapter = chapter_of(result)
    frame = frame_of(chapter.finding.title, chapter.method, result.figures, chapter.seed, [])
    return rendered(
        "openings.html.j2", **_facts(), chapter=chapter, frame=frame, sizes=opening_sizes(result), least=LEAST,
        most=MOST_FREQUENT,
    )  # fmt: skip


def county_map(cards: list[CountyCard], page: str = "") -> str:
    """The map coloured by what counties bring experienced players of the first line; links lead to their cards."""
    board = load_map()
    assert board is not None  # the shipped board has a map
    links = {card.name: f"{page}#{card.code}" for card in cards}
    title = "Map of the counties, coloured by what each brings experienced players who draft"
    return map_of_counties(
        board, {card.name: card.code for card in cards}, worth_layers(cards)[_SHOWN].classes, links, title
    )


def chart(size: Lineups) -> str:
    """Wins of the printed line-ups at the casual table, with intervals."""
    return size.tables[0].picture


def data_files() -> dict[str, bytes]:
    """Every published figure as CSV, Parquet and JSON by column, those of each study as CSV, and best responses."""
    table = figures()
    parquet = io.BytesIO()
    table.write_parquet(parquet)
    columns = table.select(pl.all().implode()).write_json()  # in a list of one row
    return {
        f"{DATA}/figures.csv": spreadsheet(table.write_csv()),
        f"{DATA}/figures.parquet": parquet.getvalue(),
        f"{DATA}/figures.json": columns[1:-1].encode(),
        **{f"{DATA}/{study}.csv": spreadsheet(register_text(read_register(study))) for study in published_studies()},
        f"{DATA}/{EXPLOITED}.csv": _copied(data_folder("policies") / FILE),
    }


def _copied(file: Path) -> bytes:
    return spreadsheet(file.read_text("utf-8"))


def _facts() -> dict[str, Any]:
    return {"version": __version__, "engine": ENGINE_VERSION, "level": LEVEL}


def _casual(card: CountyCard) -> float:
    return card.worths[next(iter(PLAYS))].value
