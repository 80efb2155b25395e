"""What the report says of counties: worth at each kind of table, drafts, partners and borders, and what is printed."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import CASUAL
from wallsim.errors import InputError
from wallsim.report.tables.estimates import in_words, number
from wallsim.report.tables.traced import judged
from wallsim.rules.board import Board
from wallsim.rules.county_codes import codes
from wallsim.stats.intervals import side_of
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, figure_id
from wallsim.studies.running import Result

from ..draft.cells import DRAFT, LINES, PLAYERS
from ..draft.deals import BORDER, NEIGHBOURS, OWN_PAIR
from ..draft.estimates import ABOUT
from ..draft.figures import BY_PLAY, NEIGHBOUR, TAKEN, WHEN_OPEN, WORTH, ground_of
from ..draft.pairs import verdict_of
from ..draft.study import sides_of
from ..robustness.answers import answer_of

STUDY = "draft"
PLAYS = {CASUAL: "casual", LINES[0]: "experienced, first line", LINES[1]: "experienced, second line"}
_REGION = NEIGHBOURS[2]
# A kind of partner, and which of NEIGHBOURS count for it: a county beside this one or not, of its region or not.
BESIDE_SAME, BESIDE_OTHER, FAR_SAME = (
    "beside it, of its region",
    "beside it, of another region",
    "elsewhere in its region",
)
_COUNTS = {BESIDE_SAME: (OWN_PAIR, _REGION), BESIDE_OTHER: (OWN_PAIR,), FAR_SAME: (_REGION,)}
FOREIGN = "beside it, in another player's hand"


class Worth(NamedTuple):
    """The worth of a county in VP of its owner against the mean county: value, half-width, and both in words."""

    value: float
    half: float
    text: str


class Rule(NamedTuple):
    """What one more county of a kind brings, in VP in the order of PLAYS, and whether it adds or costs in all."""

    kind: str
    brings: list[str]
    verdict: str


class Partners(NamedTuple):
    """Counties that a county can be held with: of what kind, which, and whether they add or cost."""

    kind: str
    names: list[str]
    verdict: str


class CountyCard(NamedTuple):
    """A county: its code on the map, what is printed, its neighbours, its worths, partners and drafts.

    `worths` are by play, `mean` is that of all kinds of play. `known` says whether it is worth more than the mean
    county: the answer to the claim about it if there is one, else in how many cells that is known. `drafted` and
    `taken` are shares in per cent: drafts in which anybody takes it, and in which the first to pick takes it when it is
    open.
    """

    name: str
    code: str
    region: str
    tax: int
    grain: int
    sites: int
    neighbours: list[str]
    worths: dict[str, Worth]
    mean: Worth
    known: str
    partners: list[Partners]
    drafted: float
    taken: float


def county_cards(draft: Result) -> list[CountyCard]:
    """The counties that are in play with four players, by region and name. InputError if a figure is missing."""
    try:
        return _cards(draft)
    except KeyError as error:
        raise InputError(f"data/figures/draft.csv: has no {error}") from None


def _cards(draft: Result) -> list[CountyCard]:
    figures, design, ground = draft.figures, draft.design, ground_of(draft.design)
    board, sides, short = ground.board, sides_of(figures, design), codes(ground.names)
    verdicts = {rule.kind: rule.verdict for rule in rules(draft)}
    cards = []
    for name in ground.names:
        at = board.counties.index(name)
        near = beside(board, name, ground.names)
        region = int(board.region[at])
        same = [each for each in ground.names if board.region[board.counties.index(each)] == region and each != name]
        kinds = {
            BESIDE_SAME: [each for each in near if each in same],
            FAR_SAME: [each for each in same if each not in near],
            BESIDE_OTHER: [each for each in near if each not in same],
        }
        by_play = {play: figures.of(BY_PLAY, name, players=PLAYERS, play=play) for play in PLAYS}
        drafted, taken = (figures.of(what, name, players=PLAYERS, setup=DRAFT).value for what in (TAKEN, WHEN_OPEN))
        cards.append(
            CountyCard(
                name=name,
                code=short[name],
                region=board.regions[region],
                tax=int(board.tax[at]),
                grain=int(board.grain[at]),
                sites=int(board.sites[at]),
                neighbours=near,
                worths={play: _worth(figure) for play, figure in by_play.items()},
                mean=_worth(figures.of(WORTH, name, players=PLAYERS)),
                known=_known(name, sides[name]),
                partners=[Partners(kind, each, verdicts[kind]) for kind, each in kinds.items() if each],
                drafted=drafted,
                taken=taken,
            )
        )
    return sorted(cards, key=lambda card: (card.region, card.name))


def _known(name: str, sides: list[int]) -> str:
    if (claim := ABOUT.get(name)) is not None:
        word = answer_of(STUDY, claim.outcome, PLAYERS).word
        return f"{claim.words} {judged(word.capitalize(), figure_id(STUDY, CLAIM, claim.outcome, players=PLAYERS))}."
    return (
        f"By the study's own games known to be worth more than the mean county in {sides.count(1)}, less in "
        f"{sides.count(-1)} of {len(sides)} kinds of play and tower."
    )


def beside(board: Board, name: str, names: list[str]) -> list[str]:
    """The neighbours of a county among some counties, by name."""
    around = int(board.neighbours[board.counties.index(name)])
    return sorted(other for place, other in enumerate(board.counties) if around >> place & 1 and other in names)


def rules(draft: Result) -> list[Rule]:
    """What each kind of partner, and a border, brings beyond the worths of the counties.

    Against a county that nobody holds. Where two numbers count, their intervals are added, so that both may be off.
    """
    return [_rule(draft, kind, names) for kind, names in (*_COUNTS.items(), (FOREIGN, (BORDER,)))]


def share_words(share: float) -> str:
    """A share in per cent, as it is written on cards and the map."""
    return f"{number(share, 0)} %"


def _worth(figure: Figure) -> Worth:
    low, high = figure.ends or (0.0, 0.0)
    return Worth(figure.value, (high - low) / 2, in_words(figure.value, figure.ends, 2, "+"))


def _rule(draft: Result, kind: str, names: tuple[str, ...]) -> Rule:
    words, sides = [], set()
    for play in PLAYS:
        figures = [draft.figures.of(NEIGHBOUR, name, players=PLAYERS, play=play) for name in names]
        intervals = [interval for interval in (each.ends for each in figures) if interval is not None]
        whole = len(intervals) == len(figures)
        ends = (sum(low for low, _ in intervals), sum(high for _, high in intervals)) if whole else None
        words.append(in_words(sum(each.value for each in figures), ends, 2, "+"))
        sides.add(side_of(ends))
    return Rule(kind, words, verdict_of(sides))
