"""The counties: what is printed, what drafts and games say of them, and the layers of their map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from wallsim.analysis.claims.cells import CASUAL
from wallsim.report.html.page import json_block
from wallsim.report.html.svg import map_of_counties, shade
from wallsim.report.map.board_map import load_map
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.traced import judged
from wallsim.rules.board import load_board
from wallsim.rules.county_codes import codes as codes_of
from wallsim.stats.intervals import side_of
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, Figures, figure_id
from wallsim.studies.finding import bots_of
from wallsim.studies.grids import estimate, value
from wallsim.studies.running import Result
from wallsim.studies.scope import THREE_TABLES as TABLES

from ..draft.deals import BORDER, DRAFT, LINES, NEIGHBOURS, OWN_PAIR, PLAYERS, ground_of
from ..draft.drafters import RANDOM, TABLE, YIELDS
from ..draft.estimates import ABOUT, BY_PLAY, NEIGHBOUR, TAKEN, WHEN_OPEN, WORTH
from ..draft.pairs import TOGETHER, Judged, judged_pairs, verdict_of
from ..draft.study import sides_of
from ..play.study import ATTACKED, LOST
from ..robustness.answers import project_answers
from ..robustness.estimates import Asked
from .chapters import finding_of
from .draft_help import draft_data, gain_of
from .html import rendered

PLAYS = {play: bots_of(play) for play in (CASUAL, *LINES)}  # in words
ALL_BOTS = "mean of all bots"
SHOWN = LINES[0]  # the bots whose values colour the map at first
OTHERWISE = {"by the table of values": TABLE, "by printed Thalers and grain": YIELDS, "at random": RANDOM}
BESIDE_SAME, BESIDE_OTHER, FAR_SAME, FOREIGN = (
    "beside it, of its region", "beside it, of another region", "elsewhere in its region",
    "beside it, in another player's hand",
)  # fmt: skip
# Kinds of partner, and which of NEIGHBOURS count for each: a county beside this one or not, of its region or not.
_COUNTED = {BESIDE_SAME: (OWN_PAIR, NEIGHBOURS[2]), BESIDE_OTHER: (OWN_PAIR,), FAR_SAME: (NEIGHBOURS[2],),
            FOREIGN: (BORDER,)}  # fmt: skip
Card = dict[str, Any]
_ATTACKS, _SHARE = estimate(2), estimate(0, top=100.0)


def page(found: Mapping[str, Result]) -> str:
    """The page of the counties: the map, a table and a card for each, and help in a draft."""
    draft, fights, every = found["draft"], found["play"].figures, cards(found["draft"])
    figures, colours = draft.figures, {each["name"]: each for each in layers(draft.figures, fights, every)}
    signed = estimate(2, "+")
    gains = {words: [signed(gain_of(figures, each, play)) for play in PLAYS] for words, each in OTHERWISE.items()}
    data = {"ground": draft_data(draft, every), "layers": colours}
    return rendered(
        "counties.html.j2", map=map_of(draft), cards=every, plays=PLAYS, title=finding_of(draft).title,
        codes={card["name"]: card["code"] for card in every}, layers=list(colours), shown=f"value, {PLAYS[SHOWN]}",
        drafters=list(data["ground"]["rules"]), gains=gains, rules=rules(figures), pairs=pairs(draft),
        worth=partial(worth_of, figures), words=signed, fought=partial(fought, fights), data=json_block(data),
    )  # fmt: skip


def map_of(draft: Result, page: str = "", play: str = SHOWN) -> str:
    """The map coloured by what counties bring some bots that draft; links lead to cards of a page."""
    board, codes = load_map(), codes_of(ground_of(draft.design).names)
    assert board is not None  # the shipped board has a map
    title = f"Map of the counties, coloured by its value to {PLAYS[play]} that draft"
    classes = worth_layer(draft.figures, codes, play)["classes"]
    return map_of_counties(board, codes, classes, {name: f"{page}#{code}" for name, code in codes.items()}, title)


def fought(play: Figures, county: str, kind: str) -> list[str]:
    """Attacks of players on the owners of a county in a game, and owners that lose it in per cent, in words."""
    at = {table.play: table for table in TABLES}[kind]
    attacks, lost = (play.of(what, county, players=PLAYERS, cell=at) for what in (ATTACKED, LOST))
    return [_ATTACKS(attacks), _SHARE(lost)]


def worth_of(draft: Figures, county: str, play: str = "") -> Figure:
    """The worth of a county in VP of its owner, against the mean county: to bots of a play or, by default, to all."""
    return draft.of(BY_PLAY if play else WORTH, county, players=PLAYERS, play=play)


def cards(draft: Result) -> list[Card]:
    """The counties that are in play with four players, by region and name: what is printed, and what is known.

    `partners` are the counties it can be held with: of what kind, which, and whether they add or cost. `known` says
    whether it is worth more than the mean county, `drafted` in how many drafts anybody takes it, `taken` in how many
    the first to pick does when it is open.
    """
    ground, sides = ground_of(draft.design), sides_of(draft.figures, draft.design)
    board, names, short = ground.board, ground.names, codes_of(ground.names)
    verdicts = {kind: verdict for kind, _, verdict in rules(draft.figures)}
    found = []
    for place, name in enumerate(names):
        near, same = ([other for other, there in zip(names, row[place], strict=True) if there]
                      for row in (ground.borders, ground.regions))  # fmt: skip
        near.sort()
        kinds = {BESIDE_SAME: [each for each in near if each in same],
                 FAR_SAME: [each for each in same if each not in near],
                 BESIDE_OTHER: [each for each in near if each not in same]}  # fmt: skip
        at = ground.counties[place]
        printed = {"tax": int(board.tax[at]), "grain": int(board.grain[at]), "sites": int(board.sites[at])}
        partners = [(kind, each, verdicts[kind]) for kind, each in kinds.items() if each]
        drafted, taken = (f"{value(0)(draft.figures.of(what, name, players=PLAYERS, setup=DRAFT))} %"
                          for what in (TAKEN, WHEN_OPEN))  # fmt: skip
        found.append({"name": name, "code": short[name], "region": board.regions[board.region[at]], **printed,
                      "neighbours": near, "partners": partners, "known": _known(name, sides[name]), "drafted": drafted,
                      "taken": taken})  # fmt: skip
    return sorted(found, key=lambda card: (card["region"], card["name"]))


def _known(name: str, sides: Sequence[int]) -> str:
    """The answer to the claim about a county if there is one, else in how many cells it is known to be worth more."""
    if (claim := ABOUT.get(name)) is not None:
        known, answer = project_answers()[Asked("draft", claim.outcome)]
        key = figure_id("draft", CLAIM, claim.outcome, players=PLAYERS)
        words = known.said(answer)
        return f"{claim.words} {judged(words[0].upper() + words[1:], key)}."
    return (
        f"In the study's own games its value is known to be above the mean county's in {sides.count(1)}, below it in "
        f"{sides.count(-1)} of {len(sides)} settings of bots and tower."
    )


def rules(draft: Figures) -> list[tuple[str, list[str], str]]:
    """What one more county of a kind brings in VP, in the order of PLAYS, and whether it adds or costs in all.

    Beyond the worths of the counties, against a county that nobody holds. Where two numbers count, their intervals are
    added, so that both may be off.
    """
    found = []
    for kind, names in _COUNTED.items():
        words, sides = [], set()
        for play in PLAYS:
            figures = [draft.of(NEIGHBOUR, name, players=PLAYERS, play=play) for name in names]
            known = [each.ends for each in figures if each.ends is not None]
            ends = (sum(low for low, _ in known), sum(high for _, high in known)) if len(known) == len(names) else None
            words.append(in_words(sum(each.value for each in figures), ends, 2, "+"))
            sides.add(side_of(ends))
        found.append((kind, words, verdict_of(sides)))
    return found


def pairs(draft: Result) -> list[tuple[Judged, bool, str]]:
    """The pairs of one player, then those of two: what they bring, whether one player holds both, and chosen for whom.

    What brings most in the mean of all plays comes first.
    """
    rows = []
    for kind, by_group in judged_pairs(draft.figures, draft.design).items():
        found: dict[tuple[str, str], tuple[Judged, list[str]]] = {}
        for group, judged_there in by_group.items():
            for each in judged_there:
                found.setdefault(each.pair, (each, []))[1].append("casual" if group == CASUAL else "strong")
        order = sorted(found.values(), key=lambda row: -sum(float(row[0].effects[play].value) for play in PLAYS))
        rows += [(each, kind == TOGETHER, ", ".join(chosen)) for each, chosen in order]
    return rows


def worth_layer(draft: Figures, names: Iterable[str], play: str) -> dict[str, Any]:
    """What colours the map by the values to the bots of a play, or to all if it is empty."""
    title = f"value, {PLAYS.get(play, ALL_BOTS)}"
    return _layer(title, draft, names, BY_PLAY if play else WORTH, "{} VP", estimate(2, "+"), 0.0, play=play)


def layers(draft: Figures, play: Figures, cards: Sequence[Card]) -> Iterator[dict[str, Any]]:
    """What may colour the map: its name, by county the class of its colour and its words, and the ids of its figures.

    In the ids COUNTY stands for a county; they are empty where what is printed colours the map. A colour says how much
    more or less a county has than the mean county.
    """
    names = [card["name"] for card in cards]
    for each in (*PLAYS, ""):
        yield worth_layer(draft, names, each)
    for table in TABLES:
        everywhere, where = (play, load_board().counties), table._asdict()
        yield _layer(f"contested, {PLAYS[table.play]}", *everywhere, ATTACKED, "{} attacks a game", _ATTACKS, **where)
        yield _layer(f"lost, {PLAYS[table.play]}", *everywhere, LOST, "{} % of owners lose it", _SHARE, **where)
    for title, quantity in (("drafted by anybody", TAKEN), ("taken first when it is open", WHEN_OPEN)):
        yield _layer(title, draft, names, quantity, "{} %", value(0), setup=DRAFT)
    for title, key in (("tax", "tax"), ("grain", "grain"), ("building sites", "sites")):
        printed = {card["name"]: card[key] for card in cards}
        yield _coloured(f"printed {title}", printed, {name: f"{number}" for name, number in printed.items()})


def _layer(
    title: str, figures: Figures, names: Iterable[str], quantity: str, words: str, shown: Callable[[Figure], str],
    middle: float | None = None, **at: Any,
) -> dict[str, Any]:  # fmt: skip
    found = {name: figures.of(quantity, name, players=PLAYERS, **at) for name in names}
    texts = {name: words.format(shown(each)) for name, each in found.items()}
    ids = figure_id(figures.study, quantity, "COUNTY", players=PLAYERS, **at)
    return _coloured(title, {name: each.value for name, each in found.items()}, texts, ids, middle)


def _coloured(
    title: str, values: Mapping[str, float], words: Mapping[str, str], ids: str = "", middle: float | None = None
) -> dict[str, Any]:
    middle = sum(values.values()) / len(values) if middle is None else middle
    largest = max(abs(each - middle) for each in values.values())
    classes = {county: shade(each - middle, largest) for county, each in values.items()}
    return {"name": title, "classes": classes, "words": words, "ids": ids}
