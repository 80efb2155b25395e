"""The study `ladder` plays a tournament and the tables of tuned and searching policies, and answers in Markdown."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import figures_in, look
from tests.analysis.planted import planted_rows
from tests.refusals import assert_names
from wallsim.analyses.ladder import estimates as ladder
from wallsim.analyses.ladder import study
from wallsim.analysis.claims import cells as plays
from wallsim.analysis.tournament.agreement import agreement
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.payoffs import cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import rate
from wallsim.experiment.file import load_experiment
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.tournament_design import Design
from wallsim.play.play import play_run
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy
from wallsim.report.tables.tournament import cycle_rows, ladder_notes
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.orders import read_order
from wallsim.studies.quantities import Bounded, Key

POLICIES = ("balanced", "conqueror", "random", "builder")
CHOSEN = {"blocks": "24", "searches": "4", "policies": ",".join(POLICIES), "second": "banker"}
TABLE = load_experiment(ladder.EXPERIMENT)


def few(visits):
    """One pair under every tower, some of three, four and five players, and the search."""
    return [*visits[:6], *visits[6::27], visits[-1]]


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder, planned = tmp_path_factory.mktemp("ladder"), ladder.visits
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder, "visits", lambda *given: few(planned(*given)))
        return folder, look("ladder", folder, 120, quick=False, workers=None, **CHOSEN)


@pytest.mark.slow
def test_both_ladders_and_all_tables_are_played(reported):
    folder, result = reported
    figures, runs = result.figures, {setup: TournamentRun.open(folder / setup) for setup in ("lineup", "draft")}
    assert runs["lineup"].policies == tuple(sorted(POLICIES))
    assert runs["draft"].manifest["experiment"]["identity"]["setup"] == "draft"
    assert runs["draft"].manifest["seed"] == runs["lineup"].manifest["seed"]
    for setup, played in runs.items():
        at = {"players": 4, "setup": setup}
        assert figures.of("games", **at).value == played.manifest["games"]
        for place, rating in enumerate(rate(played.rows()).ladder, start=1):
            assert figures.of("rank", rating.policy, **at).value == place
            assert figures.of(ladder.BOTH, rating.policy, **at).value == pytest.approx(rating.strength)
    visits = few(ladder.visits(TABLE, 120, 4, "banker"))
    for visit in visits:
        figure = figures.of(**visit.key._asdict())
        assert (figure.n * visit.players, figure.tower) == (visit.games, visit.tower)
    for at, tournament in ladder.company(TABLE, 120).items():
        won = [figures.of(**at._replace(item=policy.name)._asdict()) for policy in tournament.policies]
        assert sum(figure.value for figure in won) == pytest.approx(100)
        assert {figure.n for figure in won} == {tournament.blocks}
    assert len(list((folder / "parts").glob("*.npz"))) == len(visits)


@pytest.mark.slow
def test_the_first_look_is_reported_on_the_screen_alone(reported):
    result = reported[1]
    text, *looks = result.text.strip().rsplit("\n\n", 2)
    for each, setup in zip(looks, ("Line-ups: ", "Draft: "), strict=True):
        assert_names(each, setup, "once, at 24 blocks")
    assert f"{result.page.first_screen}\n\n{result.page.tables}" == text


SIX = sorted((*POLICIES, "banker", "farmer"))
CYCLE = np.zeros((6, 6))
CYCLE[:3, :3] = [[0, 2, -2], [-2, 0, 2], [2, -2, 0]]
PLANTED = {
    "one never behind": ([12.0, 0.6, -0.6, -1.5, -2.0, -2.4], 400, None),
    "a cycle": ([0.1, 0.0, 0.0, -3.0, -3.5, -4.0], 400, CYCLE),
    "few blocks": ([1.5, 0.6, -0.6, -1.5, -2.0, -2.4], 20, None),
}


@pytest.mark.one_in(4, "file")
@pytest.mark.parametrize("case", PLANTED)
def test_the_register_has_all_that_the_page_shows(case):
    """A ladder that is read from the register is that which was estimated, with all notes, upsets and cycles."""
    strengths, blocks, edge = PLANTED[case]
    named = pl.col("policy").replace({f"p{number}": name for number, name in enumerate(SIX)})
    rows = {
        setup: planted_rows(strengths, blocks, seed, edge=edge).with_columns(policy=named)
        for seed, setup in enumerate(("lineup", "draft"))
    }
    ratings = rate(rows["lineup"])
    visit = ladder.Visit(3, "mid", "draft", "one", "other", 60, "")
    alone = {visit.key: Bounded(25.0, (20.0, 30.0), 20)}
    # Every column of a table needs a figure.
    alone |= {visit._replace(tower=tower, setup=setup).key: alone[visit.key] for tower in ladder.TOWERS
              for setup in rows}  # fmt: skip
    tournaments = {setup: Tournament(SIX, TABLE.changed(setup=setup), blocks) for setup in rows}
    mixed = ladder.company(TABLE, 1)
    company = {
        at._replace(item=name): Bounded(25.0, (20.0, 30.0), 20) for at in mixed for name in ladder.COMPANY[at.players]
    }
    figures = figures_in("ladder", ladder.published(rows, {"lineup": (24, 48), "draft": (24,)}) | alone | company)
    design = ladder.Design(tournaments, [visit], mixed)
    read = study.ratings_of(figures, design)
    assert [vars(rating) for rating in read.ladder] == [
        {name: pytest.approx(value) for name, value in vars(rating).items()} for rating in ratings.ladder
    ]
    assert (read.notes, ladder_notes(read)) == (ratings.notes, ladder_notes(ratings))
    both = {setup: rate(each, level=0.975) for setup, each in rows.items()}
    for setup, result in both.items():
        shown = study.ratings_of(figures, design, setup, ladder.BOTH)
        assert (shown.level, shown.notes) == (result.level, result.notes)
        assert [each.interval for each in shown.ladder] == [pytest.approx(each.interval) for each in result.ladder]
    [known] = same_order(both).values()
    order = read_order(figures, ladder.ORDER, {each.policy: each.strength for each in read.ladder}, players=4)
    assert (order.policies, *map(set, (order.same, order.turned, order.open)), order.interval) == (
        known.policies, *map(set, (known.same, known.turned, known.open)), pytest.approx(known.interval)
    )  # fmt: skip
    matrix, met = payoffs(rows["lineup"], ratings.policies), study.payoffs_of(figures, read)
    for name in ("before", "before_low", "before_high", "games"):
        assert np.allclose(getattr(met, name), getattr(matrix, name), equal_nan=True), name
    one, other = (cycle_rows(upsets(each, read.policies), cycles(each, read.policies)) for each in (met, matrix))
    assert one == other
    assert bool(cycles(met, read.policies)) == (case == "a cycle")
    for each in agreement(rows["lineup"], ratings):
        assert figures.of("agreement", each.name, players=4).value == pytest.approx(each.value)
    assert len(figures.all_of("open-strength", SIX[0], players=4)) == 2 * (case == "one never behind")
    [once], [again] = (study.looks_of(figures, design, repeated=repeated) for repeated in (False, True))
    assert once.startswith("Draft: ")
    assert_names(again, "Line-ups: ", "2 times, at 24 and 48 blocks", "the first analysis only")
    found = figures.of(**visit.key._asdict())
    assert (found.value, *found.ends, found.n, found.null) == pytest.approx((25, 20, 30, 20, 100 / 3))
    assert load_study("ladder").page(figures, design).printed == once


def test_the_study_has_the_blocks_that_the_order_of_all_pairs_needs():
    pairs = len(ladder.POLICIES) * (len(ladder.POLICIES) - 1) // 2
    assert ladder.BLOCKS >= Confidence(0.95, 2 * pairs).min_blocks
    assert ladder.BLOCKS % Design(len(ladder.POLICIES), 4).cycle == 0


def test_every_table_is_played_with_line_ups_and_in_the_draft():
    planned = ladder.visits(TABLE, second="banker")
    assert [visit.setup for visit in planned] == ["lineup", "draft"] * (len(planned) // 2)
    assert len({visit.hash for visit in planned}) == len({visit.key for visit in planned}) == len(planned)
    assert {visit.players for visit in planned} == {3, 4, 5}
    assert [visit.name for visit in planned if visit.games != ladder.GAMES] == [plays.SEARCH_POLICY] * 2
    assert load_policy(plays.SEARCH_POLICY).search is not None
    assert load_policy(plays.SEARCH_POLICY).weights == load_policy(plays.SEARCHED_POLICY).weights
    for one, other in zip(planned[::2], planned[1::2], strict=True):
        assert one._replace(setup="draft", hash=other.hash) == other
        table = ladder.seated(TABLE, *other[:3])
        assert (table.tower, table.ruleset().letters()) == (other.tower, ("",) * other.players)


def test_every_visit_has_the_blocks_that_simultaneous_intervals_need():
    planned = ladder.visits(TABLE)
    fewest = Confidence(0.95, len(planned)).min_blocks
    assert all(visit.games >= fewest * visit.players for visit in planned)


def test_the_taught_and_both_lines_meet_under_every_tower_and_others_under_the_first():
    planned = ladder.visits(TABLE)
    for players, lines in plays.STRONG_POLICIES.items():
        three = {lines, plays.EARLIER_POLICIES[players][0], plays.SECOND_POLICIES[players]}
        here = [visit for visit in planned if visit.players == players and visit.setup == "draft"]
        among = Counter((visit.name, visit.host) for visit in here if {visit.name, visit.host} <= three)
        assert among == dict.fromkeys(permutations(three, 2), len(ladder.TOWERS))
        apart = [visit for visit in here if not {visit.name, visit.host} <= three]
        others = {(visit.name, visit.host) for visit in apart}
        hosts = {ladder.HOST, "strong-4p"} if players == 4 else {ladder.HOST}
        search = {(plays.SEARCH_POLICY, plays.SEARCHED_POLICY)} if players == 4 else set()
        assert others == {*product(three, hosts), *search}
        assert {visit.tower for visit in apart} == {"spielbyweb"}


def test_in_company_one_of_each_plays_every_seat_in_whole_cycles_under_every_tower():
    planned = ladder.company(TABLE)
    assert {(at.cell.tower, at.cell.setup, at.players) for at in planned} == {
        *product(ladder.TOWERS, ("lineup", "draft"), (3, 4, 5))
    }
    fewest = Confidence(0.95, sum(at.players for at in planned)).min_blocks
    for at, tournament in planned.items():
        table = tournament.table
        assert (table.players, table.tower, table.setup) == (at.players, at.cell.tower, at.cell.setup)
        assert {policy.name for policy in tournament.policies} == {*ladder.COMPANY[at.players]}
        assert tournament.design.tables == (tuple(range(at.players)),)
        assert tournament.blocks % tournament.design.cycle == 0
        assert tournament.blocks >= fewest


def test_the_tower_that_changes_most_is_named_beside_the_first_only_where_it_is_known_to_differ():
    """Of the master among scholars: the wins under `mid` and `mid-layered` against 30 % under the first."""
    place = ("master-4p", "scholar-4p")

    def words(mid, layered):
        ends = dict(zip(ladder.TOWERS, ((28.0, 32.0), mid, layered), strict=True))
        at = Key("wins-alone", " among ".join(place), 4)
        won = {at._replace(cell=plays.Cell("", tower, "draft")): Bounded(sum(each) / 2, each, 500)
               for tower, each in ends.items()}  # fmt: skip
        return study._elsewhere(figures_in("ladder", won), place)

    assert words((31.0, 35.0), (30.0, 34.0)) == ""
    assert words((40.0, 44.0), (33.0, 37.0)) == ", and 42.0 ± 2.0 % under the tower mid"
    assert words((31.0, 35.0), (20.0, 24.0)) == ", and 22.0 ± 2.0 % under the tower mid-layered"


def test_a_guest_in_the_draft_wins_what_its_games_say(tmp_path):
    """The cached finding is the mean over games in which the guest sat in every seat of drafted tables."""
    guest = (4, "spielbyweb", "draft", "banker", "balanced")
    [visit] = [each for each in ladder.visits(TABLE, 40, 4, "banker") if each[:5] == guest]
    found = ladder.wins_alone(visit, 1, load_study("ladder").storage(tmp_path))
    wins = []
    for seat in range(4):
        names = ["banker" if each == seat else "balanced" for each in range(4)]
        drafted = TABLE.changed(setup="draft", policies=tuple(names), games=10)
        seats = play_run(drafted, tmp_path / str(seat)).scan("seats").collect()
        wins.append(100 * seats.filter(seat=seat)["win"].cast(pl.Float64).mean())
    assert found.value == pytest.approx(sum(wins) / 4)
    assert found.blocks == 10
