"""Drafts that the engine played, step by step, with a drafter that goes by a table of the report's page."""

from wallsim.analyses.draft.deals import DRAFT, NEIGHBOURS, Ground, PickTable, in_cell
from wallsim.analyses.draft.drafters import by_table, table_of
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING
from wallsim.engine.log_lines import DEAL, RECYCLE, SOURCE_DECK, line_places

_DEAL, _RECYCLE = line_places(DEAL), line_places(RECYCLE)
DECK = 2


def pick_table(data, name):
    """A table of the page's data as drafters read it."""
    table = data["tables"][name]
    rules = dict(zip(NEIGHBOURS, (table[rule][0] for rule in ("own", "border", "region")), strict=True))
    return PickTable({county: worth for county, (worth, _) in table["worths"].items()}, rules)


def played_drafts(data, name, games, folder):
    """The steps of drafts in which all seats pick by a table: lists of (mine, theirs, open, card taken) by game.

    The card is the place in `open`, or DECK; a step in which open cards are put away is one with DECK, too.
    """
    experiment = in_cell(Cell(MIDDLING, "spielbyweb", DRAFT))
    ground = Ground(experiment)
    drafter = by_table(pick_table(data, name), ground, folder / "drafter.py")
    arena = table_of(experiment, [drafter] * experiment.players)
    return [_steps(arena.trace(game).lines, ground.board.counties) for game in range(games)]


def _steps(lines, counties):
    owned, steps = {}, []
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
        steps.append((mine, theirs, [counties[card] for card in shown], taken))
        if line[0] == DEAL:
            owned[int(line[_DEAL.county])] = seat
    return steps
