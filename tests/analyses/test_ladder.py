"""The study `ladder` plays a tournament and the tables of tuned and searching policies, and answers in Markdown."""

import re
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import look
from tests.analysis.planted import planted_rows
from wallsim.analyses.ladder import estimates as ladder
from wallsim.analyses.ladder import figures as registered
from wallsim.analyses.ladder import page
from wallsim.analysis.tournament.agreement import agreement
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.payoffs import cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import rate
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.report.tables.estimates import bounded
from wallsim.report.tables.ratings import agreement_rows, cycle_rows, ladder_notes
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
def test_it_tells_the_ladder_and_the_tables(reported):
    folder, text = reported[0], reported[1].text
    run = open_tournament(folder / "lineup")
    assert run.policies == tuple(sorted(POLICIES))
    drafted = open_tournament(folder / "draft")
    assert drafted.manifest["experiment"]["identity"]["setup"] == "draft"
    assert drafted.manifest["seed"] == run.manifest["seed"]
    assert (
        reported[1]
        .blocks()[TABLES]
        .startswith(
            f"4 policies, 24 blocks of 4 games: {run.manifest['games']} games with line-ups, and "
            f"{drafted.manifest['games']} in the draft; 4 players, "
        )
    )
    in_the_draft = rate(drafted.rows())
    for place, rating in enumerate(in_the_draft.ladder, start=1):
        row = re.search(rf"^\| {rating.policy} \| \d \| [^|]+ \| (\d) \| (\S+)( ↓)? \|$", text, re.M)
        assert row.groups()[:2] == (str(place), bounded(rating.strength, 2, sign="+"))
    names = re.findall(r"^\| \d+ \| ([\w-]+) \|", text, re.M)
    assert sorted(names) == sorted(POLICIES)
    assert names[-1] == "random"
    rows = r"^\| `([\w-]+)` \| (\d) × `([\w-]+)` \| ([\w-]+) \| ([\d,]+) \|"
    planned = ladder.visits(load_experiment(ladder.EXPERIMENT), 120, 4, "banker")
    setups = {"lineup": "line-ups", "draft": "draft"}
    assert re.findall(rows, text, re.M) == [
        (each.name, str(each.players - 1), each.host, setups[each.setup], str(each.games)) for each in planned
    ]


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
    [once], [again] = page.look_sentences(looks, repeated=False), page.look_sentences(looks, repeated=True)
    assert once.startswith("Line-ups: ")
    assert again == (
        "Draft: The ladder of this folder has been analysed 2 times, at 24 and 48 blocks; its intervals hold for the "
        "first analysis only."
    )


@pytest.fixture(scope="module")
def planted():
    """Two ladders of four policies of which the two in the middle change places in the draft, p0 far ahead in both."""
    strengths = {"lineup": [1.5, 0.6, -0.6, -1.5], "draft": [1.5, -0.6, 0.6, -1.5]}
    return {
        setup: rate(planted_rows(values, 400, seed, players=3), resamples=200, level=0.975)
        for seed, (setup, values) in enumerate(strengths.items(), start=5)
    }


def order_of(ladders):
    [result] = same_order(ladders).values()
    return result


def test_the_draft_stands_beside_the_line_ups_with_rank_and_strength(planted):
    rows_of, words = page.draft_table(planted, order_of(planted)).split("\n\n")
    assert rows_of.splitlines()[0] == "| policy | rank, line-ups | strength, line-ups | rank, draft | strength, draft |"
    rows = [row.strip("| ").split(" | ") for row in rows_of.splitlines()[2:]]
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("p0", "1", "1"), ("p1", "2", "3"), ("p2", "3", "2"), ("p3", "4", "4")
    ]  # fmt: skip
    lineup, draft = (planted[setup].ladder[0] for setup in ("lineup", "draft"))
    assert rows[0][2] == f"{lineup.strength:+.2f} ±{lineup.interval[1] - lineup.strength:.2f}"
    assert rows[0][4] == f"{draft.strength:+.2f} ±{draft.interval[1] - draft.strength:.2f}"
    assert "Of the draft: 1,600 games in 400 blocks. Here ± hold for all strengths of both" in words
    assert (
        "Kendall's tau between the two ladders is 0.67, the order of all 6 pairs is known: of 6 pairs 5 are known to "
        "be in the same order on both, 1 in opposite order, and of 0 it is not known."
    ) in words


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
    both, ladders = ladder.rated(runs), registered.ladders_of(figures, design)
    for setup, result in both.items():
        assert (ladders[setup].level, ladders[setup].notes) == (result.level, result.notes)
        assert page.draft_table(ladders, registered.order_of(figures, ladders, design)) == page.draft_table(
            both, order_of(both)
        )
    met = registered.payoffs_of(figures, read, design)
    for name, value in vars(matrix).items():
        known = getattr(met, name)
        assert known == value if name == "policies" else np.allclose(known, value, equal_nan=True), name
    assert cycle_rows(upsets(met, read.policies), cycles(met, read.policies)) == cycle_rows(
        upsets(matrix, ratings.policies), cycles(matrix, ratings.policies)
    )
    assert bool(cycles(met, read.policies)) == (case == "a cycle")
    assert agreement_rows(registered.agreement_of(figures, design)) == agreement_rows(findings.agreement)
    assert registered.looks_of(figures, design) == looks
    [(_, alone)] = registered.visits_of(figures, design)
    assert vars(alone) == {name: pytest.approx(value) for name, value in vars(beside).items()}
    assert ("ladder.open-strength.3p.balanced" in figures) == (case == "one never behind")
    assert figures["ladder.one-seat.5p.one-among-other/draft"].null == 20
    assert page.page(figures, design).blocks(load_study("ladder")).keys() == {FINDING, TABLES}


def test_strengths_of_both_ladders_share_one_level():
    rows = planted_rows([0.5, -0.5], 60, 1, players=2)
    run = SimpleNamespace(rows=lambda: rows)
    assert [result.level for result in ladder.rated({"lineup": run, "draft": run}, 20).values()] == [0.975, 0.975]


def test_too_few_blocks_leave_the_order_open_and_say_so(planted):
    few = {
        setup: rate(planted_rows([0.5, 0.0, -0.5], 40, seed, players=3), resamples=40, level=0.975)
        for seed, setup in enumerate(planted)
    }
    words = page.draft_table(few, order_of(few)).split("\n\n")[1]
    assert "Here ±" not in words
    assert few["draft"].confidence.too_few(40, "blocks") in words
    assert Confidence(0.95, 6).too_few(40, "blocks") in words
    assert "and of 3 it is not known" in words


def test_the_study_has_the_blocks_that_the_order_of_all_pairs_needs():
    pairs = len(ladder.POLICIES) * (len(ladder.POLICIES) - 1) // 2
    assert ladder.BLOCKS >= Confidence(0.95, 2 * pairs).min_blocks
    assert ladder.BLOCKS % Design(len(ladder.POLICIES), 4).cycle == 0


def test_the_digest_tells_the_draft_and_its_blocks(table):
    both, study = ladder.by_setup(table, POLICIES, 24), load_study("ladder")
    other = {**both, "draft": ladder.by_setup(table, POLICIES, 48)["draft"]}
    designs = [ladder.Design(each, []) for each in (both, other, {"lineup": both["lineup"]})]
    assert len({digest_of(study, each) for each in designs}) == 3


def test_every_table_is_played_with_line_ups_and_in_the_draft(table):
    planned = ladder.visits(table, second="banker")
    assert [visit.setup for visit in planned] == ["lineup", "draft"] * (len(planned) // 2)
    assert len({visit.hash for visit in planned}) == len(planned)
    assert {visit.players for visit in planned} == {3, 4, 5}
    assert [visit.name for visit in planned if visit.games != ladder.GAMES] == [ladder.SEARCH_POLICY] * 2
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


def test_visits_are_distinguished_by_what_is_known_of_them():
    visits = [ladder.Visit(4, setup, "one", "other", 100, "") for setup in ("lineup", "draft", "lineup")]
    ends = ((0.3, 0.5), (0.1, 0.24), (0.2, 0.3))
    findings = [Finding("other", "host", 100, 25, sum(each) / 2, *each, n_comparisons=3) for each in ends]
    words = page.visits_words(list(zip(visits, findings, strict=True)))
    assert words == (
        "More than the fair share is won in 1 of 3 rows. Less: `one` among `other` (draft, 4 players). "
        "Not known to be more or less: `one` among `other` (line-ups, 4 players)."
    )


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
    row = page.visits_table([(visit, finding)]).splitlines()[-1]
    assert row.startswith(f"| `banker` | 3 × `balanced` | draft | 40 | {100 * finding.share:.1f} | ")


def test_the_policies_of_the_study_are_there_and_the_search_begins_from_the_one_it_meets():
    assert [load_policy(name).name for name in ladder.POLICIES] == list(ladder.POLICIES)
    assert [load_policy(name).kind for name in ladder.STRONG_POLICIES.values()] == ["balanced"] * 3
    searcher, searched = load_policy(ladder.SEARCH_POLICY), load_policy(ladder.SEARCHED_POLICY)
    assert searcher.search is not None
    assert searcher.weights == searched.weights
