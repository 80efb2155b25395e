"""Cells are described in few words, and the words mean exactly the cells that are meant."""

import itertools

import pytest

from tests.refusals import assert_names, refused
from wallsim.analysis.claims.cells import (
    STRENGTHS,
    TOWERS,
    Cell,
    Play,
    checked_plays,
    default_plays,
    grouped,
    unjudged,
    varying,
)
from wallsim.policies.catalogue import policy_names
from wallsim.rules.tower import load_tower, tower_presets

PLAYS, PRESETS = ("weak", "middling", "strong"), ("spielbyweb", "mid", "rulebook")
CROSSED = [Cell(*levels) for levels in itertools.product(PLAYS, PRESETS, ("lineup", "draft"))]
LINEUPS = [cell for cell in CROSSED if cell.setup == "lineup"]


def test_the_towers_are_all_presets_and_say_their_model():
    assert set(TOWERS) == set(tower_presets())
    for name, (calibration, model) in TOWERS.items():
        assert load_tower(name).model == model
        assert name.startswith(calibration)


def test_only_factors_that_differ_are_named():
    assert varying(CROSSED) == ["tower", "play", "setup"]
    assert Cell("weak", "mid", "draft").in_words(CROSSED) == "`mid`, weak, draft"
    assert Cell("weak", "mid", "lineup").in_words(LINEUPS) == "`mid`, weak"
    assert Cell("weak", "mid", "lineup").in_words(LINEUPS[:1]) == "the only cell"


@pytest.mark.parametrize(
    ("cells", "among", "words"),
    [
        ([Cell("strong", "mid", "lineup")], LINEUPS, "`mid` under strong"),
        ([cell for cell in LINEUPS if "rulebook" in cell or "weak" in cell], LINEUPS, "weak; `rulebook`"),
        (
            [Cell("weak", "mid", "draft"), Cell("strong", "mid", "draft"), Cell("strong", "rulebook", "lineup")],
            CROSSED,
            "`mid` under weak, strong (draft); `rulebook` under strong (line-ups)",
        ),
        (
            [cell for cell in CROSSED if cell[:2] == ("strong", "mid")] + [Cell("weak", "mid", "draft")],
            CROSSED,
            "`mid` under weak (draft) and strong",
        ),
        ([cell for cell in LINEUPS if cell.play == "weak"][1:], LINEUPS[:3], "`mid`, `rulebook`"),
    ],
)
def test_cells_are_grouped(cells, among, words):
    assert grouped(cells, among) == words


@pytest.mark.parametrize(
    "among", [[cell for cell in LINEUPS if cell.play != "weak"], [cell for cell in CROSSED if "mid" not in cell][:8]]
)
def test_words_tell_different_sets_of_cells_apart(among):
    """Of all sets of cells of some plays, towers and set-ups no two are described in the same words."""
    chosen = [cells for size in range(1, len(among)) for cells in itertools.combinations(among, size)]
    assert len({grouped(cells, among) for cells in chosen}) == len(chosen) == 2 ** len(among) - 2


WEAK, CASUAL = Play("weak", "weak", "random", "-"), Play("casual", "casual", "heedless", "-")
MIDDLING = Play("middling", "middling", "balanced", "-")
STRONG, SECOND = Play("strong", "strong", "tuned-4p", "one"), Play("second strong", "strong", "banker", "two")


def test_the_usual_plays_are_enough_and_reach_from_weak_to_strong():
    plays = default_plays()
    assert checked_plays(plays) == plays
    assert unjudged(plays) == ""
    assert [play.strength for play in plays] == [*STRENGTHS, "strong"]
    assert {play.policy for play in plays[:4]} < set(policy_names())


@pytest.mark.parametrize(
    ("plays", "missing"),
    [
        ([WEAK, CASUAL, MIDDLING, STRONG, SECOND._replace(line="one")], ["two independent lines"]),
        ([WEAK, MIDDLING, STRONG, SECOND], ["for casual play"]),
        ([WEAK], ["casual and middling", "strong play"]),
    ],
)
def test_what_is_missing_is_said(plays, missing):
    assert_names(unjudged(plays), "not judged", *missing)


@pytest.mark.parametrize(
    ("plays", "names"),
    [
        ([WEAK, STRONG, STRONG._replace(name="other", line="other")], ["policy tuned-4p", "more than once"]),
        ([WEAK, MIDDLING._replace(name="weak")], ["name weak", "more than once"]),
        ([WEAK._replace(strength="brave")], ["strength 'brave'", "weak"]),
    ],
)
def test_plays_that_are_not_what_they_say_are_refused(plays, names):
    with refused(*names):
        checked_plays(plays)
