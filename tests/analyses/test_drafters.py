"""Drafts of the study `draft`: the order of picks, what lies open, drafters, and the command with its files."""

from dataclasses import replace

import numpy as np
import pytest

from tests.analyses.studies import look, table_of
from wallsim.analyses.draft import cells as draft_cells
from wallsim.analyses.draft import drafters
from wallsim.analyses.draft.cells import DRAFT
from wallsim.analyses.draft.claims import given
from wallsim.analyses.draft.deals import NEIGHBOURS, NOBODY, Deals, Ground, points_of, regressors, started, wins_of
from wallsim.analyses.draft.drafters import by_table, matches, random_drafter, seated, yields_of
from wallsim.analyses.draft.order import (
    Drafts,
    drafts_of,
    equal_places,
    equal_seats,
    open_cards,
    places,
    taken_when_open,
)  # fmt: skip
from wallsim.analyses.draft.picks import NEIGHBOUR, PICK, read_picks
from wallsim.analyses.draft.worth import PickTable
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

EXPERIMENT = draft_cells.in_cell(Cell(MIDDLING, "spielbyweb", DRAFT))
GROUND = Ground(EXPERIMENT)
GAMES = 1500


@pytest.fixture(scope="module")
def drafted():
    return drafts_of(EXPERIMENT, GAMES, Cache(None))


def table(**worths):
    """A table on which only some counties are worth anything."""
    return PickTable({name: worths.get(name, 0.0) for name in GROUND.names}, dict.fromkeys(NEIGHBOURS, 0.0))


def drafted_by(drafter, seat, games=300, experiment=EXPERIMENT):
    """Owners of counties at the start where a seat drafts so; every answer is checked against the rules."""
    parts = experiment.components()
    arena = replace(parts, policies=seated(parts.policies, drafter, seat)).arena(experiment.seed, checked=True)
    return started(arena.play(0, games, counties=True).counties, games)[0]


def test_every_draft_begins_with_the_cards_that_lie_open(drafted):
    cards = open_cards(EXPERIMENT, GAMES, Cache(None))
    taken = drafted.opened != NOBODY
    assert taken.mean() > 0.5
    assert (drafted.opened[:, None] == cards).any(axis=1)[taken].all()
    assert (drafted.taken.sum(axis=1) == 32).all()
    rates = taken_when_open([drafted], cards)
    assert rates.min() >= 0
    assert rates.max() <= 100
    by_hand = 100 * (drafted.opened == 1).sum() / (cards == 1).any(axis=1).sum()
    assert np.isclose(rates[1], by_hand)


def test_seats_come_out_equal_whoever_picks_first_is_drawn(drafted):
    assert np.abs(np.bincount(drafted.first) / GAMES - 0.25).max() < 0.04
    assert equal_seats([drafted]).p_value > 0.01


def test_what_a_place_in_the_order_brings_is_found_whoever_sits_where():
    rng = np.random.default_rng(1)
    first = rng.integers(0, 4, 2000)
    place = (np.arange(4) - first[:, None]) % 4
    points = rng.normal(0, 5, (2000, 4)) - place + np.array([0, 3, 0, 9])
    result = Drafts(points, points, first, first, first)
    for each, truth in zip(places([result], "points"), (1.5, 0.5, -0.5, -1.5), strict=True):
        low, high = each.interval(Confidence(n_comparisons=4))
        assert low < truth < high
    assert abs(sum(each.value for each in places([result], "points"))) < 1e-9
    assert equal_places([result]).p_value < 1e-6
    assert equal_seats([result]).p_value < 1e-6


def test_places_that_are_alike_are_distinguished_in_one_of_a_hundred_tests():
    wrong = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        points, first = rng.normal(size=(200, 4)) + rng.normal(size=(200, 1)), rng.integers(0, 4, 200)
        wrong += equal_places([Drafts(points, points, first, first, first)]).p_value < 0.01
    assert wrong <= 9


def test_a_drafter_takes_the_best_county_wherever_it_can(tmp_path, drafted):
    """The first to pick takes the one valuable county when it lies open, and owns it far more often in the end."""
    best = GROUND.board.counties.index("Passau")
    cards = open_cards(EXPERIMENT, 300, Cache(None))
    loved = drafted_by(by_table(table(Passau=9.0), GROUND, tmp_path / "loves.py"), 0)
    shunned = drafted_by(by_table(table(Passau=-9.0), GROUND, tmp_path / "shuns.py"), 0)
    begins = (drafted.first[:300] == 0) & (cards == best).any(axis=1)
    assert begins.sum() >= 2
    assert (loved[begins, best] == 0).all()
    assert (shunned[begins, best] != 0).all()
    assert (loved[:, best] == 0).mean() > 0.5 > 0.1 > (shunned[:, best] == 0).mean()


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "column"), list(zip(NEIGHBOURS, range(3), strict=True)))
def test_a_drafter_seeks_the_neighbours_that_its_table_praises(tmp_path, name, column):
    counts = []
    for worth in (3.0, -3.0):
        only = PickTable(dict.fromkeys(GROUND.names, 0.0), {**dict.fromkeys(NEIGHBOURS, 0.0), name: worth})
        owner = drafted_by(by_table(only, GROUND, tmp_path / f"{worth:+g}.py"), 1)
        known = regressors(Deals(owner, np.zeros_like(owner)), GROUND)
        expected = known[:, :, : len(GROUND.counties)] @ GROUND.expected[column]
        counts.append((known[:, 1, 2 * len(GROUND.counties) + column] + expected[:, 1]).mean())
    assert counts[0] > 1.3 * counts[1]


def test_drafters_play_by_the_rules_with_any_number_of_players(tmp_path):
    for players in (3, 5):
        experiment = draft_cells.in_cell(Cell(MIDDLING, "spielbyweb", DRAFT), players)
        ground = Ground(experiment)
        for drafter in (random_drafter(), by_table(yields_of(ground), ground, tmp_path / f"yields-{players}.py")):
            owner = drafted_by(drafter, 2, 60, experiment)
            assert ((owner == 2).sum(axis=1) == ground.groups).all()


def test_a_seat_that_drafts_as_before_gains_nothing_and_random_picks_lose(drafted):
    before = {"points": drafted.points[:200], "wins": drafted.wins[:200]}
    same = matches(EXPERIMENT, load_policy("balanced"), before, Cache(None))
    assert (same["points"] == 0).all()
    assert (same["wins"] == 0).all()
    random = matches(EXPERIMENT, random_drafter(), before, Cache(None))
    assert random["points"].mean() < -1
    assert random["wins"].mean() < -2


def test_a_match_compares_a_seat_with_itself_in_the_same_game(drafted):
    """At a table of unequal policies, too: the mean over seats of what each gains by drafting otherwise."""
    mixed = EXPERIMENT.changed(policies=("balanced", "casual", "random", "strong-4p"))
    before = drafts_of(mixed, 40, Cache(None))
    result = matches(mixed, random_drafter(), {"points": before.points, "wins": before.wins}, Cache(None))
    parts, gains, wins = mixed.components(), [], []
    for seat in range(4):
        arena = replace(parts, policies=seated(parts.policies, random_drafter(), seat)).arena(mixed.seed)
        rows = arena.play(0, 40).seats
        apart = [each - each.mean(axis=1, keepdims=True) for each in (points_of(rows, 4), before.points)]
        gains.append(apart[0][:, seat] - apart[1][:, seat])
        wins.append(wins_of(rows, 4)[:, seat] - before.wins[:, seat])
    assert np.allclose(result["points"], np.mean(gains, axis=0))
    assert np.allclose(result["wins"], np.mean(wins, axis=0))
    assert result["points"].any()


def test_a_table_of_other_counties_is_refused(tmp_path):
    with pytest.raises(InputError, match="other counties"):
        by_table(PickTable({"Nowhere": 1.0}, dict.fromkeys(NEIGHBOURS, 0.0)), GROUND, tmp_path / "it.py")


def test_the_pick_table_is_read_from_the_register_with_four_decimals():
    rows, known = Rows("draft", 1, "0" * 12), table(Tirol=1.25)
    for quantity, part in ((PICK, known.counties), (NEIGHBOUR, known.neighbours)):
        for name, value in part.items():
            rows.number(quantity, name, value + 0.00004, words=name, unit="VP", players=4)
    figures = rows.done()
    assert read_picks(figures) == known
    fewer = Figures("draft", [row for key, row in figures.items() if "Tirol" not in key])
    with pytest.raises(InputError, match=r"draft\.csv: has no 'draft\.pick\.4p\.Tirol'; play the study draft"):
        read_picks(fewer)


def test_the_published_pick_table_is_of_the_counties_in_play():
    assert set(read_picks().counties) == set(GROUND.names)
    assert given()["counties"] == read_picks().counties


def test_another_code_of_a_drafter_changes_the_digest(monkeypatch, tmp_path):
    study, scope = load_study("draft"), draft_cells.scope_of(Choices(600))
    before = digest_of(study, scope)
    other = tmp_path / "table_drafter.py"
    other.write_text(drafters._TABLE_CODE.read_text("utf-8").replace("return", "return  #", 1), "utf-8")
    monkeypatch.setattr(drafters, "_TABLE_CODE", other)
    assert digest_of(study, scope) != before


def test_too_few_dealt_games_are_refused():
    with pytest.raises(InputError, match="fewer than the 288"):
        draft_cells.scope_of(Choices(200))


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_study_writes_its_page_pictures_and_files(tmp_path):
    text = look("draft", tmp_path, 288).text
    assert (tmp_path / "picks.pdf").read_bytes().startswith(b"%PDF")
    assert {row[0] for row in table_of(text, "county")} == set(GROUND.names)
    assert [row[0] for row in table_of(text, "play")] == ["middling", "strong"]
    assert {path.name for path in tmp_path.iterdir()} == {
        "casual.png", "draft.ipynb", "draft.md", "draft.png", "drafters", "figures.csv", "parts", "picks.pdf",
        "record.json",
    }  # fmt: skip
    files = list((tmp_path / "drafters").iterdir())
    assert {load_policy(str(file)).kind for file in files} == {"python"}
