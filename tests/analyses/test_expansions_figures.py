"""The rows of the study `expansions` are those of planted counts: what each expansion, card and board brings."""

from itertools import product

import numpy as np
import pytest

from wallsim.analyses.expansions import skill
from wallsim.analyses.expansions.boards import variants
from wallsim.analyses.expansions.cards import CARD_DENIED, CARDS, DENIED, GIVEN, NO_STATUE, treatments
from wallsim.analyses.expansions.effects import OUTCOMES, SUBSETS, card_cells, name_of
from wallsim.rules.board import load_board
from wallsim.rules.terms import EXPANSIONS, FAVORS, ROUND_NAMES
from wallsim.stats.blocks import block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import POINTS, wins_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, sizes_of
from wallsim.studies.study import Choices, Storage

WORTH = {"court": 1.5, "landsknechte": -2.0, "leaders": 0.5}
FAVOR_WORTH, STATUE_WORTH, CARD_WORTH, DOUBLED = 2.5, 1.25, 0.75, 0.8
BEYOND = 0.25  # what a favor brings that is taken by treatment alone
WINS = 5.0  # of the better player, that all three expansions bring


def brought(expansions):
    """What expansions bring a seat: the sum, and one more where court and leaders meet."""
    return sum(WORTH[name] for name in expansions) + ({"court", "leaders"} <= set(expansions))


def planted(cache, counted, design, play):
    """Counts without chance, but for a noise of mean 0 in every block."""
    experiment, blocks = design["experiment"], design["blocks"]
    noise = np.resize([0.01, -0.01], blocks)
    if counted == "games":
        doubled = DOUBLED if "favors-2" in str(experiment.board) else 0.0
        wins = [100 / experiment.players + WINS * (experiment.expansions == EXPANSIONS)] * experiment.players
        points = 25 + brought(experiment.expansions) + doubled
        values = dict.fromkeys(OUTCOMES, 7.0) | {POINTS: points} | {wins_of(k): each for k, each in enumerate(wins)}
        return {name: each + noise for name, each in values.items()}
    games = 6 * experiment.players * blocks
    arms = {code: name for name, code in treatments().items()}
    taken = {GIVEN: 0.9, DENIED: 0.0, NO_STATUE: 0.0, CARD_DENIED: 0.5}.get(arms.get(design["treatment"]), 0.5)
    worth = {"count_favors": FAVOR_WORTH, "count_statues": STATUE_WORTH, "count_cards": CARD_WORTH}[counted]
    chosen = 0.0 if arms.get(design["treatment"]) == CARD_DENIED else min(taken, 0.5)
    points = worth * chosen + BEYOND * max(0.0, taken - 0.5) + np.resize(noise, games)
    blank = CARD_WORTH if "blank" in str(experiment.board) else 0.0
    return {"vp": points, "taken": np.full(games, taken), "table": np.resize(noise, games) - blank,
            "taken at the table": np.full(games, 1.0)}  # fmt: skip


def share(ladder, quantity, part):
    """The share of the variance without expansions."""
    return 20 + (ladder == skill.TUNED) + 2 * (quantity == "share-of-wins") + 4 * (part == skill.CHANCE)


def tournaments(planned, *_):
    """Shares of the variance and wins of 25 %, both more by what the expansions bring."""

    def around(subset, value):
        return block_mean(np.resize([value + 0.1, value - 0.1], 24) + brought(subset))

    return {
        subset: {
            (quantity, f"{ladder} {part}"): around(subset, share(ladder, quantity, part))
            for ladder in skill.LADDERS for quantity in skill.SHARE.values() for part in skill.PARTS
        } | {
            ("wins", f"{field} {policy}"): around(subset, 25 + len(policy))
            for field, policies in skill.FIELDS.items() for policy in policies
        }
        for subset in SUBSETS
    }  # fmt: skip


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A quick look on planted counts: its design and its figures."""
    study, folder = load_study("expansions"), tmp_path_factory.mktemp("expansions")
    scope, rows = study.design(Choices(quick=True)), Rows("expansions", 20269, "0" * 12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "get", planted)
        patch.setattr("wallsim.analyses.expansions.study.play_all", tournaments)
        study.figures(study.play(scope, Storage(folder, Cache(None), 1)), rows)
    return scope, rows.done()


def test_rows_follow_from_planted_counts(quick):
    scope, figures = quick
    every, cells = len(scope.cells()), len(card_cells(scope))

    def values(quantity, item="", players=4):
        return [row.value for row in figures.all_of(quantity, item, players=players)]

    effects = {name: worth + 0.5 * (name != "landsknechte") for name, worth in WORTH.items()}
    for name, effect in {**effects, "court × leaders": 0.5, "court × landsknechte": 0.0}.items():
        assert values("effect-by-cell", f"{name} {POINTS}") == pytest.approx([effect] * every, abs=1e-6)
        assert values("effect", f"{name} {POINTS}") == pytest.approx([effect], abs=1e-6)
    for subset in SUBSETS:
        points = 25 + brought(subset)
        assert values("subset-by-cell", f"{name_of(subset)} {POINTS}") == pytest.approx([points] * every, abs=0.01)
    for name, effect in effects.items():
        for quantity, item in (
            ("effect-on-share-of-points", f"ladder without expert-4p policy {name}"),
            ("effect-on-wins", f"zoo builder {name}"),
            ("picture-of-wins", f"zoo builder {name}"),
        ):
            assert values(quantity, item) == pytest.approx([effect])
    assert values("wins-gained", "zoo builder") == pytest.approx([brought(EXPANSIONS)])
    for ladder, quantity, part in product(skill.LADDERS, skill.SHARE.values(), skill.PARTS):
        assert values(quantity, f"{ladder} {part} none") == pytest.approx([share(ladder, quantity, part)])
    assert values("wins", "ladder strong-4p-bigbox all three") == pytest.approx([25 + 16 + brought(EXPANSIONS)])
    for number in ("any", *range(1, FAVORS + 1)):
        assert values("favor", str(number)) == pytest.approx([FAVOR_WORTH] * cells)
        assert values("favor-given-by-play", str(number)) == pytest.approx([BEYOND] * cells)
        assert values("favor-given", str(number)) == pytest.approx([BEYOND])
        assert values("favor-chosen-games", str(number)) == [50] * cells
        assert values("favor-given-games", str(number)) == [90] * cells
    assert values("statue") == pytest.approx([STATUE_WORTH] * cells * len(ROUND_NAMES))
    for card in CARDS:
        assert values("card-mean-of-table", str(card)) == pytest.approx([CARD_WORTH] * cells)
        point = load_board().landsknechte[card - 1]["victory_points"]
        assert values("card-own-seat", str(card)) == pytest.approx([CARD_WORTH + point] * cells)
        assert figures.all_of("card-own-seat", str(card), players=4)[0].seed != 20269
    for name in variants():
        moved = DOUBLED if name == "amounts doubled" else 0.0
        assert values("favors-varied-by-play", f"{name} {POINTS}") == pytest.approx([moved] * cells)
        assert values("court-worth-varied", name) == pytest.approx([WORTH["court"] + 1 + moved] * cells)


def test_groups_follow_from_planted_counts(quick):
    scope, figures = quick
    for players in sizes_of(scope):
        for table in THREE_TABLES:
            for name, worth in {**WORTH, "all three": brought(EXPANSIONS)}.items():
                change = figures.of("group-change", f"{name} {POINTS}", players=players, cell=table)
                assert change.value == pytest.approx(worth)
        wins = {letter: figures.of("group-change-of-lineup", f"all three {letter}", players=players, cell=CASUAL_TABLE)
                for letter in "ABC"}  # fmt: skip
        better = figures.of("change-of-better-player", "all three", players=players, cell=CASUAL_TABLE)
        assert [each.value for each in (*wins.values(), better)] == pytest.approx([WINS] * 4)
        alone = figures.of("better-player", "none", players=players, cell=EXPERIENCED_TABLE)
        assert (alone.value, alone.null) == (pytest.approx(100 / players), pytest.approx(100 / players))
