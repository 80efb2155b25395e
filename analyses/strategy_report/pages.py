"""The pages of the report as files: texts by name, made from the register."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.html.svg import map_of_counties, shade
from wallsim.report.map.board_map import load_map
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.intervals import LEVEL
from wallsim.studies.published import figures, published_studies
from wallsim.studies.running import Result

from ..draft.picture import rules_of
from .chapters import GROUPS, TAKEAWAYS, chapter_of, claims, results
from .counties import PLAYS, CountyCard, county_cards, rules, share_words
from .draft_help import as_json, draft_data, gains
from .html import as_html, rendered
from .layers import layers
from .lineups import FIRST, Lineups, lineups
from .players import players
from .tonight import LARGEST_BID, bids, fairer, sayings

INDEX, TONIGHT, COUNTIES, DATA = "index.html", "tonight.html", "counties.html", "data"
_SHOWN = 1  # the place in PLAYS of the kind of play that colours the map: experienced players, first line


def report_files() -> dict[str, bytes]:
    """All files of the report by name. InputError if the register lacks a study or a figure."""
    found = results()
    cards = county_cards(found["draft"])
    pages = {
        INDEX: index(found, cards),
        TONIGHT: tonight(found, cards),
        COUNTIES: counties(found, cards),
    }
    return {**{name: text.encode() for name, text in pages.items()}, **data_files()}


def index(found: Mapping[str, Result], cards: list[CountyCard]) -> str:
    """The first page: takeaways, line-ups, every study's chapter, the claims, and who played."""
    chapters = {name: chapter_of(result) for name, result in found.items()}
    names = frozenset(chapters)
    sizes = lineups(found["lineups"])
    return rendered(
        "index.html.j2", **_facts(), takeaways=[chapters[name] for name in TAKEAWAYS],
        groups={title: [chapters[name] for name in each] for title, each in GROUPS.items()},
        tables={name: as_html(chapter.table, names) for name, chapter in chapters.items()},
        sizes=sizes, first=FIRST,
        changes={each.players: as_html(each.changes) for each in sizes},
        map=county_map(cards, COUNTIES), claims=claims(), players=players(),
        lineups_title=next(title for title, each in GROUPS.items() if "lineups" in each),
        figures=sum(chapter.figures for chapter in chapters.values()), studies=published_studies(),
    )  # fmt: skip


def tonight(found: Mapping[str, Result], cards: list[CountyCard]) -> str:
    """One side of paper for the table."""
    chapters = {name: chapter_of(found[name]) for name in ("price", "events", "draft")}
    by_region: dict[str, list[CountyCard]] = {}
    for card in cards:
        by_region.setdefault(card.region, []).append(card)
    regions = {name: sorted(each, key=_casual, reverse=True) for name, each in by_region.items()}
    return rendered(
        "tonight.html.j2", **_facts(), chapters=chapters, fairer=fairer(found["lineups"]), bids=bids(found["tiles"]),
        rounds=ROUND_NAMES, largest=LARGEST_BID, regions=regions, plays=list(PLAYS),
        sayings=sayings(found["play"]), rules=rules_of(found["draft"].figures, found["draft"].design),
    )  # fmt: skip


def counties(found: Mapping[str, Result], cards: list[CountyCard]) -> str:
    """The counties: the map, a table and a card for each, and help in a draft."""
    draft, colours = found["draft"], layers(cards)
    data = {"ground": draft_data(draft, cards), "layers": {each.name: each._asdict() for each in colours}}
    return rendered(
        "counties.html.j2", **_facts(), map=county_map(cards), cards=cards, plays=PLAYS, chapter=chapter_of(draft),
        codes={card.name: card.code for card in cards}, layers=colours, shown=colours[_SHOWN].name,
        kinds=list(data["ground"]["tables"]), gains=gains(draft), share=share_words, rules=rules(draft),
        data=as_json(data),
    )  # fmt: skip


def county_map(cards: list[CountyCard], page: str = "") -> str:
    """The map coloured by what counties bring experienced players of the first line; links lead to their cards."""
    board = load_map()
    assert board is not None  # the shipped board has a map
    links = {card.name: f"{page}#{card.code}" for card in cards}
    title = "Map of the counties, coloured by what each brings experienced players who draft"
    return map_of_counties(board, {card.name: card.code for card in cards}, _shades(cards), links, title)


def chart(size: Lineups) -> str:
    """Wins of the printed line-ups at the casual table, with intervals."""
    return size.tables[0].picture


def data_files() -> dict[str, bytes]:
    """Every published figure as CSV, Parquet and JSON."""
    table = figures()
    parquet = io.BytesIO()
    table.write_parquet(parquet)
    return {
        f"{DATA}/figures.csv": table.write_csv().encode(),
        f"{DATA}/figures.parquet": parquet.getvalue(),
        f"{DATA}/figures.json": table.write_json().encode(),
    }


def _facts() -> dict[str, Any]:
    return {"version": __version__, "engine": ENGINE_VERSION, "level": LEVEL}


def _shades(cards: list[CountyCard]) -> dict[str, str]:
    play = list(PLAYS)[_SHOWN]
    largest = max(abs(card.worths[play].value) for card in cards)
    return {card.name: shade(card.worths[play].value, largest) for card in cards}


def _casual(card: CountyCard) -> float:
    return card.worths[next(iter(PLAYS))].value
