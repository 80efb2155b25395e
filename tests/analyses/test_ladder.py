"""The study `ladder` plays a tournament and the tables of tuned and searching policies, and answers in Markdown."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import look
from tests.analysis.planted import planted_rows
from wallsim.analyses.ladder import estimates as ladder
from wallsim.analyses.ladder import figures as registered
from wallsim.analyses.ladder import study
from wallsim.analysis.claims import plays
from wallsim.analysis.tournament.agreement import agreement
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.payoffs import cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import rate
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.report.tables.ratings import cycle_rows, ladder_notes
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import open_tournament
from wallsim.runs.tuning.evaluation import Finding
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.running import digest_of
from wallsim.studies.study import FINDING, TABLES, Choices

POLICIES = ("balanced", "conqueror", "random", "builder")
CHOSEN = {"blocks": "24", "searches": "4", "policies": ",".join(POLICIES), "second": "banker"}


@pytest.fixture(scope="module")
def table():
    """The table at which the policies play."""
    return load_experiment(ladder.EXPERIMENT)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("ladder")
    return folder, look("ladder", folder, 120, quick=False, workers=None, **CHOSEN)


@pytest.mark.slow
def test_both_ladders_and_all_tables_are_played(reported):
    folder = reported[0]
    run = open_tournament(folder / "lineup")
    assert run.policies == tuple(sorted(POLICIES))
    drafted = open_tournament(folder / "draft")
    assert drafted.manifest["experiment"]["identity"]["setup"] == "draft"
    assert drafted.manifest["seed"] == run.manifest["seed"]
    figures = reported[1].figures
    for setup, end, played in (("lineup", "", run), ("draft", "/draft", drafted)):
        assert figures[f"ladder.games.4p{end}"].value == played.manifest["games"], setup
        for place, rating in enumerate(rate(played.rows()).ladder, start=1):
            assert figures[f"ladder.rank.4p.{rating.policy}{end}"].value == place
            assert figures[f"ladder.strength-of-both-ladders.4p.{rating.policy}{end}"].value == pytest.approx(
                rating.strength
            )
    for visit in ladder.visits(load_experiment(ladder.EXPERIMENT), 120, 4, "banker"):
        figure = figures.of("one-seat", registered.alone(visit), players=visit.players, setup=visit.setup)
        assert figure.n * visit.players == visit.games


@pytest.mark.slow
def test_the_first_look_is_reported_on_the_screen_alone(reported):
    text, *looks = reported[1].text.strip().rsplit("\n\n", 2)
    assert looks == [
        "Line-ups: The ladder of this folder has been analysed once, at 24 blocks.",
        "Draft: The ladder of this folder has been analysed once, at 24 blocks.",
    ]
    blocks = reported[1].blocks()
    assert f"{blocks[FINDING]}\n\n{blocks[TABLES]}" == text


@pytest.mark.slow
def test_single_tables_are_kept_like_all_else(reported):
    folder, result = reported
    assert len(list((folder / "parts").glob("*.npz"))) == len(result.found.visits)
    assert not list(folder.glob("alone-*"))


def test_another_look_is_reported_in_the_answer_itself():
    looks = {"lineup": (24,), "draft": (24, 48)}
    [once], [again] = study.look_sentences(looks, repeated=False), study.look_sentences(looks, repeated=True)
    assert once.startswith("Line-ups: ")
    assert again == (
        "Draft: The ladder of this folder has been analysed 2 times, at 24 and 48 blocks; its intervals hold for the "
        "first analysis only."
    )


PLANTED = {
    "clear": ([1.5, 0.6, -0.6, -1.5], 400, None),
    "one never behind": ([9.0, 0.6, -0.6, -1.5], 400, None),
    "a cycle": ([0.1, 0.0, 0.0, -3.0], 400, [[0, 2, -2, 0], [-2, 0, 2, 0], [2, -2, 0, 0], [0, 0, 0, 0]]),
    "few blocks": ([1.5, 0.6, -0.6, -1.5], 20, None),
}


@pytest.mark.parametrize("case", PLANTED)
def test_the_register_has_all_that_the_page_shows(table, case):
    """A ladder that is read from the register is that which was estimated, with all notes, upsets and cycles."""
    strengths, blocks, edge = PLANTED[case]
    named = {f"p{number}": name for number, name in enumerate(sorted(POLICIES))}
    rows = {
        setup: planted_rows(strengths, blocks, seed, edge=edge, players=3).with_columns(
            policy=pl.col("policy").replace(named)
        )
        for seed, setup in enumerate(("lineup", "draft"))
    }
    runs = {setup: SimpleNamespace(rows=lambda result=result: result) for setup, result in rows.items()}
    ratings = rate(rows["lineup"])
    matrix = payoffs(rows["lineup"], ratings.policies)
    findings = SimpleNamespace(ratings=ratings, payoffs=matrix, agreement=agreement(rows["lineup"], ratings))
    visit = ladder.Visit(5, "draft", "one", "other", 100, "")
    beside = Finding("other", "host", 100, 20, 0.25, 0.2, 0.3, n_comparisons=3)
    looks = {"lineup": (24, 48), "draft": (24,)}
    written = Rows("ladder", 2, "0" * 12)
    registered.add_figures(ladder.Ladder(runs, looks, findings, [(visit, beside)]), written)
    figures = written.done()
    design = ladder.Design(ladder.by_setup(ladder.seated(table, 3, "lineup"), POLICIES, blocks), [visit])
    read = registered.ratings_of(figures, design)
    assert [vars(rating) for rating in read.ladder] == [
        {name: pytest.approx(value) for name, value in vars(rating).items()} for rating in ratings.ladder
    ]
    assert read.notes == ratings.notes
    assert ladder_notes(read) == ladder_notes(ratings)
    both = ladder.rated(runs)
    ladders = {setup: registered.ratings_of(figures, design, setup, registered.BOTH) for setup in both}
    for setup, result in both.items():
        assert (ladders[setup].level, ladders[setup].notes) == (result.level, result.notes)
        assert [each.interval for each in ladders[setup].ladder] == [
            pytest.approx(each.interval) for each in result.ladder
        ]
    [known], order = same_order(both).values(), registered.order_of(figures, read)
    assert (order.policies, *map(set, (order.same, order.turned, order.open)), order.interval) == (
        known.policies, *map(set, (known.same, known.turned, known.open)), pytest.approx(known.interval)
    )  # fmt: skip
    met = registered.payoffs_of(figures, read, design)
    for name in ("before", "before_low", "before_high", "games", "blocks"):
        assert np.allclose(getattr(met, name), getattr(matrix, name), equal_nan=True), name
    assert cycle_rows(upsets(met, read.policies), cycles(met, read.policies)) == cycle_rows(
        upsets(matrix, ratings.policies), cycles(matrix, ratings.policies)
    )
    assert bool(cycles(met, read.policies)) == (case == "a cycle")
    for each in findings.agreement:
        assert figures[f"ladder.agreement.3p.{each.name}"].value == pytest.approx(each.value)
    assert registered.looks_of(figures, design) == looks
    alone = figures["ladder.one-seat.5p.one-among-other/draft"]
    assert (alone.value, *alone.ends, alone.n) == pytest.approx((25, 20, 30, 20))
    assert ("ladder.open-strength.3p.balanced" in figures) == (case == "one never behind")
    assert figures["ladder.one-seat.5p.one-among-other/draft"].null == 20
    assert study.page(figures, design).blocks(load_study("ladder")).keys() == {FINDING, TABLES}


def test_strengths_of_both_ladders_share_one_level():
    rows = planted_rows([0.5, -0.5], 60, 1, players=2)
    run = SimpleNamespace(rows=lambda: rows)
    assert [result.level for result in ladder.rated({"lineup": run, "draft": run}, 20).values()] == [0.975, 0.975]


def test_the_study_has_the_blocks_that_the_order_of_all_pairs_needs():
    pairs = len(ladder.POLICIES) * (len(ladder.POLICIES) - 1) // 2
    assert ladder.BLOCKS >= Confidence(0.95, 2 * pairs).min_blocks
    assert ladder.BLOCKS % Design(len(ladder.POLICIES), 4).cycle == 0


def test_the_digest_tells_the_draft_and_its_blocks(table):
    both, own = ladder.by_setup(table, POLICIES, 24), load_study("ladder")
    other = {**both, "draft": ladder.by_setup(table, POLICIES, 48)["draft"]}
    designs = [ladder.Design(each, []) for each in (both, other, {"lineup": both["lineup"]})]
    assert len({digest_of(own, each) for each in designs}) == 3


def test_every_table_is_played_with_line_ups_and_in_the_draft(table):
    planned = ladder.visits(table, second="banker")
    assert [visit.setup for visit in planned] == ["lineup", "draft"] * (len(planned) // 2)
    assert len({visit.hash for visit in planned}) == len(planned)
    assert {visit.players for visit in planned} == {3, 4, 5}
    assert [visit.name for visit in planned if visit.games != ladder.GAMES] == [plays.SEARCH_POLICY] * 2
    for one, other in zip(planned[::2], planned[1::2], strict=True):
        assert one[2:-1] == other[2:-1]
        assert ladder.seated(table, other.players, other.setup).ruleset().letters() == ("",) * other.players
    with pytest.raises(InputError, match="nobody"):
        ladder.visits(table, second="nobody")
    with pytest.raises(InputError, match="blocks: '0' is not a whole number"):
        ladder.design(Choices(options={"blocks": "0"}))


def test_the_taught_and_each_line_visit_balanced_the_strong_of_before_and_the_lines():
    assert ladder.pairs_at("taught", "new", "rival", ("old", "older")) == [
        ("taught", "balanced"), ("taught", "old"), ("taught", "older"), ("taught", "new"), ("taught", "rival"),
        ("new", "balanced"), ("new", "old"), ("new", "older"), ("new", "rival"),
        ("rival", "balanced"), ("rival", "old"), ("rival", "older"), ("rival", "new"),
    ]  # fmt: skip
    assert ladder.pairs_at("taught", "old", None, ("old",)) == [
        ("taught", "balanced"), ("taught", "old"), ("old", "balanced"),
    ]  # fmt: skip


def test_a_guest_in_the_draft_wins_what_its_games_say(table, tmp_path):
    """The cached finding is the mean over games in which the guest sat in every seat of drafted tables."""
    [visit] = [each for each in ladder.visits(table, 40, 4, "banker") if each[:4] == (4, "draft", "banker", "balanced")]
    [(_, finding)] = ladder.play_visits(table, [visit], load_study("ladder").storage(tmp_path))
    wins = []
    for seat in range(4):
        names = ["banker" if each == seat else "balanced" for each in range(4)]
        drafted = table.changed(setup="draft", policies=tuple(names), games=10)
        seats = play_run(drafted, tmp_path / str(seat)).scan("seats").collect()
        wins.append(seats.filter(seat=seat)["win"].cast(pl.Float64).mean())
    assert finding.share == pytest.approx(sum(wins) / 4)
    assert (finding.games, finding.blocks) == (40, 10)


def test_the_policies_of_the_study_are_there_and_the_search_begins_from_the_one_it_meets():
    assert [load_policy(name).name for name in ladder.POLICIES] == list(ladder.POLICIES)
    assert [load_policy(name).kind for name in plays.STRONG_POLICIES.values()] == ["balanced"] * 3
    searcher, searched = load_policy(plays.SEARCH_POLICY), load_policy(plays.SEARCHED_POLICY)
    assert searcher.search is not None
    assert searcher.weights == searched.weights
