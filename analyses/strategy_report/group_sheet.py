"""The sheet of a group that plays tonight: one side of paper for its number of players and its expansions.

Its figures are those of casual bots with the printed line-ups; of tips and bids also those of strong bots. They are of
games with as many players as the group has, but where the sheet says that they were measured with four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from wallsim.analysis.claims.cells import CASUAL
from wallsim.report.html.translation import ENGLISH, messages, translated
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.provenance import event_words
from wallsim.rules.terms import EXPANSIONS, ROUND_NAMES
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.grids import estimate
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE, PLAYERS
from wallsim.studies.scope import THREE_TABLES as TABLES

from ..events import page as events
from ..events.cards import HUNGRIEST
from ..expansions.effects import IN_GROUPS, OF_GROUPS, Subset, name_of
from ..expansions.study import NAMES as EXPANSION_NAMES
from ..lineups.games import KINDS, PRINTED, fixes_of, letters_of
from ..lineups.measure import item
from ..lineups.study import NAMES, imbalances, is_fixed, nearest, version_for
from ..play.changes import TIPS
from ..play.study import bracketed, largest, points_of
from ..tiles.study import LARGEST_BID, bids
from .chapters import complete_register, results
from .html import rendered

STUDIES = ("lineups", "play", "tiles", "price", "events", "expansions")
_SHARES, _TENTHS, _SIGNED = estimate(1, top=100.0), estimate(1), estimate(1, "+")
_THALERS, _LOSS = estimate(2), estimate(2, "+")
_OUTCOMES = dict(zip(OF_GROUPS, (
    "points of a player, VP", "spread of points within a game, VP", "wins of the leader after year one, % points",
    "attacks of a player in a game",
), strict=True))  # fmt: skip


def written_sheet(players: int, expansions: Sequence[str] = (), language: str = ENGLISH) -> str:
    """The sheet by the register alone, whole in a language. InputError for a language without a catalogue."""
    if language != ENGLISH:
        messages(language)
    with complete_register():
        page = sheet(results(STUDIES), players, expansions)
    return page if language == ENGLISH else translated(page, language, whole=True)


def sheet(found: Mapping[str, Result], players: int, expansions: Sequence[str] = (), home: str = "") -> str:
    """The sheet as HTML; `home` is the page with all figures, if that lies beside it."""
    lineups, tiles, chosen = found["lineups"].figures, found["tiles"], subset_of(expansions)
    known, near = fixes(lineups, players), nearest_fix(lineups, players)
    versions = [PRINTED, *known[:1], *near]
    wins = {letter: [_SHARES(lineups.of("wins", item(letter, kind), players=players, cell=CASUAL_TABLE))
                     for kind in versions] for letter in letters_of(players)}  # fmt: skip
    spreads = {kind: _TENTHS(imbalance(lineups, players, kind)) for kind in (PRINTED, *known, *near)}
    return rendered(
        "group.html.j2", scripts=(), players=players, home=home, fair=f"{100 / players:.0f}", wins=wins,
        spreads=spreads, versions=versions, names=NAMES,
        fixes={kind: parts_of(players, kind) for kind in (*known, *near)}, near=near,
        rounds=ROUND_NAMES, bids=bids(tiles.figures, tiles.design, players), largest=LARGEST_BID,
        tips=tips(found["play"].figures, players), thalers=thalers(found["price"].figures, players),
        cards=worst_cards(found["events"].figures), chosen=[EXPANSION_NAMES[name] for name in chosen],
        together=chosen in IN_GROUPS, measured=[_column(each) for each in measured(chosen)],
        changes=changes(found["expansions"].figures, players, measured(chosen)),
    )  # fmt: skip


def subset_of(expansions: Sequence[str]) -> Subset:
    """Expansions in the order of the rules."""
    return tuple(name for name in EXPANSIONS if name in expansions)


def imbalance(figures: Figures, players: int, kind: str = PRINTED) -> Figure:
    """The imbalance of line-ups with a fix among casual bots."""
    return figures.of("imbalance", kind, players=players, cell=CASUAL_TABLE)


def fixes(figures: Figures, players: int) -> list[str]:
    """The fixes that make line-ups fair for casual bots, the simplest first; none if the printed ones are fair."""
    if version_for(figures, players, CASUAL) == PRINTED:
        return []
    return [kind for kind in KINDS if is_fixed(imbalances(figures, players, CASUAL, kind))]


def nearest_fix(figures: Figures, players: int) -> list[str]:
    """The fix with the least imbalance for casual bots where no version is fair; none where one is."""
    best = nearest(figures, players, CASUAL)
    return [] if version_for(figures, players, CASUAL) or best == PRINTED else [best]


def parts_of(players: int, kind: str) -> list[str]:
    """The changes of a fix for casual bots, a sentence each."""
    return [f"{part[0].upper()}{part[1:]}" for part in fixes_of(players, CASUAL)[kind].parts(load_board())]


def fairer(figures: Figures, players: int) -> tuple[list[str], list[str], bool]:
    """The changes of the simplest fix for casual bots, the imbalance as printed and with it, and whether it is fair.

    Without such a fix those of the nearest.
    """
    near = nearest_fix(figures, players)
    best = [*fixes(figures, players)[:1], *near]
    spreads = [_TENTHS(imbalance(figures, players, kind)) for kind in (PRINTED, *best)]
    if best:
        return parts_of(players, best[0]), spreads, not near
    fair = version_for(figures, players, CASUAL) == PRINTED
    return [f"{NAMES[PRINTED]}{', which are fair' if fair else '; no simple fix makes them fair'}"], spreads, True


def tips(play: Figures, players: int = PLAYERS) -> dict[str, list[str]]:
    """What the tips that move points most change for one seat that follows one, for casual, master and scholar bots."""
    return {
        TIPS[name]: [bracketed(play, name, table, number(points_of(play, name, table, players).value, 1, "+"),
                               players=players) for table in TABLES]
        for name in largest(play)[:MOST_ROWS]
    }  # fmt: skip


def thalers(price: Figures, players: int = PLAYERS) -> list[str]:
    """What a Thaler brings a casual bot in the first round, and in the last."""
    at = partial(price.of, "thaler", players=players, cell=CASUAL_TABLE)
    return [_THALERS(at(moment=moment)) for moment in (ROUND_NAMES[0], ROUND_NAMES[-1])]


def worst_cards(figures: Figures) -> list[tuple[str, str]]:
    """The event card that costs most in its round and that with the greatest winter loss, and what four casual bots
    lose by each.
    """
    worst = events.worst_card(figures, CASUAL_TABLE)
    return [(event_words(worst), _LOSS(events.in_force(figures, CASUAL_TABLE, worst))),
            (event_words(HUNGRIEST), _LOSS(events.in_winter(figures, CASUAL_TABLE, HUNGRIEST)))]  # fmt: skip


def measured(chosen: Subset) -> list[Subset]:
    """The sets of expansions that show what those of the group do: all together if that was played, else each."""
    return [] if not chosen else [chosen] if chosen in IN_GROUPS else [(name,) for name in chosen]


def _column(subset: Subset) -> str:
    return EXPANSION_NAMES[subset[0]] if len(subset) == 1 else "all three"


def changes(figures: Figures, players: int, subsets: Sequence[Subset]) -> dict[str, list[str]]:
    """What expansions change against games without any, by what is measured or the letter of a line-up."""
    at = partial(figures.of, players=players, cell=CASUAL_TABLE)
    names = [name_of(each) for each in subsets]
    return {
        **{words: [_SIGNED(at("group-change", f"{name} {outcome}")) for name in names]
           for outcome, words in _OUTCOMES.items()},
        **{letter: [_SIGNED(at("group-change-of-lineup", f"{name} {letter}")) for name in names]
           for letter in letters_of(players)},
        "wins of one master bot among casual bots, % points":
            [_SIGNED(at("change-of-better-player", name)) for name in names],
    }  # fmt: skip
