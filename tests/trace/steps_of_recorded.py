"""What the steps of a game must do, whatever game it is."""

from wallsim.analysis.games.steps import steps_of
from wallsim.rules.terms import ARMIES_PER_PLAYER, PEASANT_ARMIES
from wallsim.trace.story.game import story, text_of

PILES = ("supply", "tray", "tower")


def check_steps(match, lines):
    """Patches give every table of the trace, no cube is lost between, and the sentences are the story."""
    steps = list(steps_of(match, lines, {}))
    assert [step.line for step in steps] == list(lines)
    assert [step.number for step in steps] == list(range(len(lines)))
    assert list(text_of(text for step in steps for text in step.sentences)) == list(story(match, lines))
    table = {}
    for step in steps:
        table = step.applied(table)
        if step.line["t"] == "state":
            stated = {key: value for key, value in step.line.items() if key != "t"}
            assert {key: table[key] for key in stated} == stated
        for seat in range(match.players):  # B0.2
            there = sum(county["armies"] for county in table["counties"].values() if county["owner"] == seat)
            assert there + sum(table[pile][str(seat)] for pile in PILES) == ARMIES_PER_PLAYER
        assert sum(table[pile]["peasants"] for pile in PILES) == PEASANT_ARMIES
        assert (step.odds is not None) == (step.line["t"] == "battle")
        if step.odds is not None:
            assert abs(sum(step.odds[:3]) - 1) < 1e-9
            assert min(step.odds[:3]) >= 0
    return steps
