"""Drafts of the study `draft`: the order of picks, what lies open, drafters, alone and among others like them."""

from itertools import product

import numpy as np
import pytest

from tests.analyses.studies import UNSTORED, figures_in, look
from tests.refusals import assert_names, refused
from wallsim.analyses.draft import deals, drafters
from wallsim.analyses.draft.deals import DRAFT, NEIGHBOURS, NOBODY, PLAYERS, Ground, PickTable, Worths, apart, in_cell
from wallsim.analyses.draft.drafters import RANDOM_CODE, TABLES, Drafts, by_table, matches
from wallsim.analyses.draft.estimates import NEIGHBOUR, PICK, read_picks
from wallsim.analyses.draft.study import rival_tables, side_among
from wallsim.analysis.claims.cells import CASUAL, MIDDLING, Cell
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import hotelling
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.grids import texts_of
from wallsim.studies.quantities import Key, Number
from wallsim.studies.study import Choices

EXPERIMENT, OF_THREE = (in_cell(Cell(MIDDLING, "spielbyweb", DRAFT), players) for players in (4, 3))
GROUND = Ground(EXPERIMENT)
GAMES = 1500
NONE = dict.fromkeys(NEIGHBOURS, 0.0)


@pytest.fixture(scope="module")
def drafted():
    return drafters.drafts_of(EXPERIMENT, GAMES, UNSTORED)


def table(**worths):
    """A table on which only some counties are worth anything."""
    return PickTable({name: worths.get(name, 0.0) for name in GROUND.names}, NONE)


def played_with(by_seat, games, experiment=EXPERIMENT, *, counties=False):
    """Games in which some seats draft otherwise; every answer is checked against the rules."""
    seats = [by_seat.get(seat) for seat in range(experiment.players)]
    return drafters.table_of(experiment, seats, checked=True).play(0, games, counties=counties)


def owners(drafter, seat, games=300, experiment=EXPERIMENT):
    """Owners of counties at the start where a seat drafts so."""
    return deals.started(played_with({seat: drafter}, games, experiment, counties=True), games).owner


def test_every_draft_begins_with_the_cards_that_lie_open(drafted):
    cards = drafters.open_cards(EXPERIMENT, GAMES, UNSTORED)
    taken = drafted.opened != NOBODY
    assert taken.mean() > 0.5
    assert (drafted.opened[:, None] == cards).any(axis=1)[taken].all()
    assert (drafted.taken.sum(axis=1) == 32).all()
    rates = drafters.taken_when_open([drafted], cards)
    assert rates.min() >= 0
    assert rates.max() <= 100
    assert np.isclose(rates[1], 100 * (drafted.opened == 1).sum() / (cards == 1).any(axis=1).sum())
    assert np.abs(np.bincount(drafted.first) / GAMES - 0.25).max() < 0.04  # whoever picks first is drawn
    assert hotelling(apart(drafted.points)[:, 1:]).p_value > 0.01  # and seats come out equal


def test_what_a_place_in_the_order_brings_is_found_whoever_sits_where():
    rng = np.random.default_rng(1)
    first = rng.integers(0, 4, 2000)
    points = rng.normal(0, 5, (2000, 4)) - (np.arange(4) - first[:, None]) % 4 + np.array([0, 3, 0, 9])
    result = Drafts(points, points, first, first, first)
    values = result.by_place("points")
    for each, truth in zip(values.T, (1.5, 0.5, -0.5, -1.5), strict=True):
        low, high = block_mean(each).interval(Confidence(n_comparisons=4))
        assert low < truth < high
    assert abs(values.mean(axis=0).sum()) < 1e-9
    assert result.first_less_last.value == pytest.approx((values[:, 0] - values[:, 3]).mean())


@pytest.mark.one_in(4, "file")
def test_drafters_play_by_the_rules_with_any_number_of_players(tmp_path):
    for players in (3, 5):
        experiment = in_cell(Cell(MIDDLING, "spielbyweb", DRAFT), players)
        ground = Ground(experiment)
        policies = drafters.policies_of({"yields": drafters.yields_of(ground)}, ground, tmp_path / f"{players}")
        for drafter in policies.values():
            owner = owners(drafter, 2, 60, experiment)
            assert ((owner == 2).sum(axis=1) == ground.groups).all()


def test_a_seat_that_drafts_as_before_gains_nothing_and_random_picks_lose(drafted):
    same, random = (matches(EXPERIMENT, drafter, 200, UNSTORED, drafted)
                    for drafter in (load_policy("balanced"), read_policy(RANDOM_CODE)))  # fmt: skip
    assert not same["points"].any()
    assert not same["wins"].any()
    assert random["points"].mean() < -1
    assert random["wins"].mean() < -2


@pytest.fixture(scope="module")
def likes(tmp_path_factory):
    """Table drafters of four and of three that like the first counties of the list, and no borders."""
    found = []
    for experiment in (EXPERIMENT, OF_THREE):
        ground = Ground(experiment)
        worths = dict(zip(ground.names, np.linspace(2, -2, len(ground.names)), strict=True))
        rules = dict(zip(NEIGHBOURS, (0.5, -0.5, 0.2), strict=True))
        found.append(by_table(PickTable(worths, rules), ground, tmp_path_factory.mktemp("drafters") / "first.py"))
    return found


@pytest.mark.one_in(4, "file")
@pytest.mark.parametrize("among_drafters", [False, True])
def test_a_match_compares_a_seat_with_itself_in_the_same_game(likes, among_drafters):
    """At a table of unequal policies, too: the mean over seats of what each gains by drafting otherwise."""
    mixed = EXPERIMENT.changed(policies=("balanced", "casual", "random", "strong-4p"))
    random, others = read_policy(RANDOM_CODE), dict.fromkeys(range(4), likes[0]) if among_drafters else {}
    before, gains, wins = played_with(others, 40, mixed), [], []
    for seat in range(4):
        after = played_with({**others, seat: random}, 40, mixed)
        gains.append((apart(deals.points_of(after, 4)) - apart(deals.points_of(before, 4)))[:, seat])
        wins.append((deals.wins_of(after, 4) - deals.wins_of(before, 4))[:, seat])
    kept = None if among_drafters else Drafts(deals.points_of(before, 4), deals.wins_of(before, 4), None, None, None)
    result = matches(mixed, random, 40, UNSTORED, kept, likes[0] if among_drafters else None)
    assert np.allclose(result["points"], np.mean(gains, axis=0))
    assert np.allclose(result["wins"], np.mean(wins, axis=0))
    assert result["points"].any()


@pytest.mark.one_in(4, "file")
def test_one_more_table_drafter_is_compared_with_itself_among_the_same_others(likes):
    games, seats = 60, range(3)
    gains = drafters.gains_of(OF_THREE, likes[1], games, UNSTORED)
    played = {}
    for chosen in product((False, True), repeat=3):
        tables = played_with({seat: likes[1] for seat in seats if chosen[seat]}, games, OF_THREE)
        points = deals.points_of(tables, 3)
        played[chosen] = {"points": points, "above": apart(points), "wins": deals.wins_of(tables, 3)}
    none, every = played[False, False, False], played[True, True, True]
    for what, place in (("points", "above"), ("wins", "wins")):
        first = [played[tuple(each == seat for each in seats)][place][:, seat] - none[place][:, seat] for seat in seats]
        last = [every[place][:, seat] - played[tuple(each != seat for each in seats)][place][:, seat] for seat in seats]
        assert gains[what].shape == (3, games)
        assert np.allclose(gains[what][0], np.mean(first, axis=0))
        assert np.allclose(gains[what][2], np.mean(last, axis=0))
    assert np.allclose(gains["means"][[0, 3]], [each["points"].mean(axis=1) for each in (none, every)])
    assert gains["points"].any(axis=1).all()


def test_a_response_is_the_table_of_drafts_in_which_all_go_by_the_first(likes):
    found = drafters.response_to(OF_THREE, likes[1], 288, UNSTORED)
    tables = played_with(dict.fromkeys(range(3), likes[1]), 288, OF_THREE, counties=True)
    cell = Cell("any", "spielbyweb", DRAFT)
    result = deals.estimated(Ground(OF_THREE), deals.started(tables, 288), {cell: deals.points_of(tables, 3)})
    assert found == result.table(result.fits[cell])


def test_the_games_that_judge_a_response_are_not_those_that_made_it():
    scope = deals.scope_of(Choices())
    tables = [drafters.in_table(scope, *each) for each in product(
        scope.at_tables, scope.rivals, (drafters.FITTED, drafters.JUDGED))]  # fmt: skip
    seeds, others = {table.seed for table in tables}, {in_cell(scope.home(setup)).seed for setup in ("deal", DRAFT)}
    assert len(seeds) == 2
    assert not seeds & {*others, in_cell(scope.home("deal")).seed + 2}  # of pairs of counties
    assert {table.setup for table in tables} == {DRAFT}


def of_planted(monkeypatch, scope, gains):
    """The figures of table drafters that gain so many points, by play and number of others, with four players."""
    rng = np.random.default_rng(3)
    first, second = (PickTable({"A": 1.0, "B": -1.0, "C": 0.0}, dict.fromkeys(NEIGHBOURS, each)) for each in (-1, -2))
    points = np.array(gains)[:, None] + rng.normal(0, 0.1, (PLAYERS, 400))
    found = {"points": points, "wins": 3 * points, "means": rng.normal(50, 1, (PLAYERS + 1, 400))}
    monkeypatch.setattr(drafters, "gains_of", lambda *_: found)
    monkeypatch.setattr(drafters, "matches", lambda *_, others: {"points": points[0], "wins": points[0]})
    monkeypatch.setattr(drafters, "response_to", lambda *_: second)
    monkeypatch.setattr(drafters, "by_table", lambda *_: None)
    monkeypatch.setattr(Worths, "mean", lambda *_: None)
    monkeypatch.setattr(Worths, "table", lambda *_: first)
    values = drafters.of_rivals(scope, {PLAYERS: Worths(GROUND, None, {}, {})}, UNSTORED.folder, UNSTORED)
    return figures_in("draft", dict(values))


@pytest.mark.parametrize(
    ("gains", "side", "names"),
    [
        ((1, 1, 1, 1), 1, ["gains points in casual", "however many others"]),
        ((-1, -1, -1, -1), -1, ["costs points in casual", "however many others"]),
        ((1, 1, 0, -1), None, ["depends on the others in casual"]),
        ((1, 1, 1, 0), 0, ["not known for casual"]),
    ],
)
def test_the_tables_say_whether_the_gain_stays_however_many_others_there_are(monkeypatch, gains, side, names):
    plays = tuple(play for play in deals.scope_of(Choices()).plays if play.name == CASUAL)
    scope = deals.scope_of(Choices(quick=True))._replace(plays=plays)
    figures = of_planted(monkeypatch, scope, gains)
    assert side_among(figures, scope, CASUAL) == side
    text = texts_of(figures, rival_tables(figures, scope))
    assert_names(text, "4 players", *names, *(f"VP for a border, in {name}" for name in TABLES))
    assert text.count("| 4 | ") == PLAYERS


def test_the_pick_table_is_read_from_the_register_with_four_decimals():
    known = table(Tirol=1.25)
    figures = figures_in("draft", {
        Key(quantity, name, 4): Number(value + 0.00004)
        for quantity, part in ((PICK, known.counties), (NEIGHBOUR, known.neighbours)) for name, value in part.items()
    })  # fmt: skip
    assert read_picks(figures) == known
    fewer = Figures("draft", [row for key, row in figures.items() if "Tirol" not in key])
    with refused("draft.csv", f"'draft.{PICK}.4p.Tirol'", "the study draft"):
        read_picks(fewer)
    assert set(read_picks().counties) == set(GROUND.names)
    [judged] = load_study("draft").judged
    assert judged.given()["counties"] == read_picks().counties


def test_a_table_of_other_counties_is_refused(tmp_path):
    with refused("other counties"):
        by_table(PickTable({"Nowhere": 1.0}, NONE), GROUND, tmp_path / "it.py")


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_study_writes_its_page_pictures_and_files(tmp_path):
    look("draft", tmp_path, 288)
    assert (tmp_path / "picks.pdf").read_bytes().startswith(b"%PDF")
    assert {path.name for path in tmp_path.iterdir()} == {
        "casual.png", "draft.ipynb", "draft.md", "draft.png", "drafters", "figures.csv", "parts", "picks.pdf",
        "record.json",
    }  # fmt: skip
    assert {load_policy(str(file)).kind for file in (tmp_path / "drafters").iterdir()} == {"python"}
