"""Drafts that the engine played, step by step, with the bots' own drafters or one that goes by the report's table."""

from dataclasses import dataclass

from wallsim.analyses.draft.deals import DRAFT, NEIGHBOURS, Ground, PickTable, in_cell
from wallsim.analyses.draft.drafters import by_table, table_of
from wallsim.analyses.strategy_report.draft_help import BY_TABLE
from wallsim.analysis.claims.cells import CASUAL, Cell
from wallsim.engine.log_lines import DEAL, RECYCLE, SOURCE_DECK, line_places

_DEAL, _RECYCLE = line_places(DEAL), line_places(RECYCLE)
DECK = 2
TABLE = f"casual bots, {BY_TABLE}"
PLAYS = {f"master bots, {BY_TABLE}": "strong", "master bots": "strong", "scholar bots": "second strong",
         TABLE: CASUAL, "casual bots": CASUAL}  # by rule, the default first  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What a seat sees when it picks, and its card: the place in `open`, or DECK.

    A step in which both open cards are put away has DECK, too.
    """

    mine: list[str]
    theirs: list[str]
    open: list[str]
    armies: dict[str, int]
    taken: int


def pick_table(rule):
    """The table of a rule of the page's data as drafters read it."""
    near = dict(zip(NEIGHBOURS, (rule[name][0] for name in ("own", "border", "region")), strict=True))
    return PickTable({county: worth for county, (worth, _) in rule["worths"].items()}, near)


def played_drafts(data, name, games, folder):
    """The steps of drafts in which all seats pick by a rule of the page's data, in one list."""
    experiment = in_cell(Cell(PLAYS[name], "spielbyweb", DRAFT))
    ground = Ground(experiment)
    drafter = by_table(pick_table(data["rules"][name]), ground, folder / "drafter.py") if BY_TABLE in name else None
    arena = table_of(experiment, [drafter] * experiment.players)
    return [step for game in range(games) for step in _steps(arena.trace(game).lines, ground.board.counties)]


def _steps(lines, counties):
    owned, armies = {}, {}
    for line in lines:
        if line[0] not in (DEAL, RECYCLE):
            break
        places = _DEAL if line[0] == DEAL else _RECYCLE
        seat, shown = line[places.seat], [int(card) for card in line[places.open_cards : places.open_cards + 2]]
        mine = [counties[county] for county, owner in owned.items() if owner == seat]
        theirs = [counties[county] for county, owner in owned.items() if owner != seat]
        taken = DECK
        if line[0] == DEAL and line[_DEAL.source] != SOURCE_DECK:
            taken = shown.index(line[_DEAL.county])
        yield Step(mine, theirs, [counties[card] for card in shown], dict(armies), taken)
        if line[0] == DEAL:
            owned[int(line[_DEAL.county])] = seat
            armies[counties[int(line[_DEAL.county])]] = int(line[_DEAL.armies])
