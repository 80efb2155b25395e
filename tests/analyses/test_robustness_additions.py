"""Later stages of the study `robustness`: games for what is not known, as the file of additions says."""

from dataclasses import replace

import numpy as np
import pytest

from wallsim.analyses.robustness import additions as stages
from wallsim.analyses.robustness import allocation
from wallsim.analyses.robustness import estimates as study
from wallsim.analyses.robustness.additions import Addition, additions, additions_text, seed_of
from wallsim.analyses.robustness.answers import Judged, answered, project_answers, published_claims
from wallsim.analyses.robustness.sources import OWN, source
from wallsim.analysis.claims.answers import HOLDS, UNKNOWN
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, STRONG
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.published import published_studies
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices

CELLS = [Cell(play, "mid", "lineup") for play in (CASUAL, STRONG)]
ONE = Addition(2, "price", 4, CELLS[0], 2, ("VP of four Thalers", "VP of one army"))


def known(value, error=0.1, rows=1_080):
    noise = np.random.default_rng(3).normal(0.0, 1.0, rows)
    return Estimate(value, (noise - noise.mean()) / noise.std(ddof=1) * error * rows**0.5)


def judged(*values, error=0.1):
    cells = {cell: known(value, error) for cell, value in zip(CELLS, values, strict=True)}
    row = {cell: each.error**2 * each.blocks for cell, each in cells.items()}
    return Judged(Claim("It is more.", "it", 0.0), "attacks", {}, cells, None, {}, row, 3)


def test_a_file_of_additions_reads_back_as_it_was_written(tmp_path):
    path = tmp_path / "additions.csv"
    every = (ONE, replace_cell(ONE), ONE._replace(stage=3, outcomes=("cost of a border with another seat, VP",)))
    path.write_text(additions_text(every), "utf-8")
    assert additions(path) == every


def replace_cell(addition):
    return addition._replace(cell=Cell("random tables", "rulebook", "draft"), players=3)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("stage", "1", "line 2: stage: '1'; allowed are 2 to 3"), ("players", "6", "players: '6'; allowed are 3 to 5"),
     ("parts", "x", "parts: 'x'"), ("parts", "0", "parts: '0'")],
)  # fmt: skip
def test_an_invalid_line_is_refused_with_its_place(tmp_path, field, value, words):
    path = tmp_path / f"{field}{value}.csv"
    fields = dict(zip(stages.COLUMNS, ["2", "price", "4", "casual", "mid", "draft", "1", "x"], strict=True))
    lines = [",".join(stages.COLUMNS), ",".join({**fields, field: value}.values())]
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(InputError, match="line 2") as refused:
        additions(path)
    assert words in str(refused.value)


def test_the_study_plays_the_additions_of_its_file_and_they_are_part_of_its_identity():
    full = study.scope_of(Choices())
    assert full.additions == additions()
    assert study.scope_of(Choices(quick=True)).additions == ()
    for each in full.additions:
        outcomes = {claim.outcome for claim in each.source.claims}
        assert set(each.outcomes) <= outcomes
        assert each.cell.setup in each.source.setups
        assert each.cell.tower in each.source.towers
        assert each.cell.play in study.pools_of(each.source, each.players)
    few = full._replace(rows=144, pools=())
    other = ONE._replace(parts=3), ONE._replace(stage=3), ONE._replace(outcomes=("x",))
    planned = [(), (ONE,), *((each,) for each in other)]
    digests = {digest_of(load_study(OWN), few._replace(additions=each)) for each in planned}
    assert len(digests) == 5


def test_no_part_has_the_seed_of_another_or_of_a_study():
    seeds = [load_study(name).experiment().seed for name in own_studies()]
    own = load_study(OWN).experiment().seed
    parts = [seed_of(own, stage, part) for stage in stages.STAGES for part in (0, 1, stages._OF_STAGE - 1)]
    assert len({*seeds, *parts}) == len({*seeds}) + len(parts)
    experiments = study.added_experiments(ONE, 72)
    assert [each.seed for each in experiments.values()] == [seed_of(own, 2, 0), seed_of(own, 2, 1)]


def test_an_addition_is_the_mean_of_its_parts_and_is_played_once(tmp_path, monkeypatch):
    experiments = {part: Experiment(seed=part + 1, policies="random", tower="mid", setup="draft") for part in range(3)}
    cache = Cache(tmp_path)
    result = stages.outcomes_of(ONE, experiments, 24, cache)
    assert tuple(result) == ONE.outcomes
    alone = [stages.outcomes_of(ONE, {0: each}, 24, Cache(None)) for each in experiments.values()]
    for name, each in result.items():
        assert each.value == pytest.approx(np.mean([part[name].value for part in alone]))
        assert each.blocks == 72
        assert each.error == pytest.approx(np.sqrt(np.mean([part[name].error ** 2 for part in alone]) / 3), rel=0.03)
    silent = replace(source("price").judged, some=None, outcomes=None)  # cannot be played
    unplayable = ONE.source._replace(judged=silent)
    monkeypatch.setattr(stages, "source", lambda name: unplayable)
    repeated = stages.outcomes_of(ONE, experiments, 24, Cache(tmp_path))
    assert {name: each.value for name, each in repeated.items()} == {name: each.value for name, each in result.items()}


@pytest.mark.parametrize(
    ("name", "players", "setup"), [("tiles", 3, "lineup"), ("price", 4, "draft"), ("lineups", 3, "lineup")]
)
def test_some_outcomes_are_those_of_all(name, players, setup):
    own = source(name)
    experiment = Experiment(seed=3, policies="random", players=players, setup=setup)
    every = own.outcomes(experiment, 1, 1)
    wanted = list(every)[-1:]
    some = own.outcomes(experiment, 1, 1, wanted)
    assert list(some) == wanted
    assert some[wanted[0]].value == every[wanted[0]].value
    assert np.array_equal(some[wanted[0]].influence, every[wanted[0]].influence)


def test_games_go_to_the_cells_where_a_claim_is_undecided():
    """One cell is known, the other near to the claimed number; a third claim is known, and gets none."""
    claims = {("price", "it", 4): judged(1.0, 0.12), ("price", "that", 4): judged(1.0, 1.0)}
    found = answered(claims, alone=True)
    assert [found[asked].word for asked in claims] == [UNKNOWN, HOLDS]
    [only] = allocation.next_stage(2, 10**9, claims, found)
    assert (only.stage, only.study, only.players, only.cell, only.outcomes) == (2, "price", 4, CELLS[1], ("it",))
    nearer = allocation.next_stage(2, 10**9, {**claims, ("price", "it", 4): judged(1.0, 0.06)}, found)
    assert nearer[0].parts > only.parts


def test_claims_that_need_few_games_come_first_and_the_budget_is_kept():
    claims = {("price", "near", 4): judged(1.0, 0.1), ("price", "far", 4): judged(0.2, 1.0)}
    found = answered(claims, alone=True)
    every = allocation.next_stage(2, 10**9, claims, found)
    cost = {each.outcomes: each.parts * study.ROWS * 3 for each in every}
    assert cost["near",] > cost["far",]
    some = allocation.next_stage(2, cost["far",], claims, found)
    assert [each.outcomes for each in some] == [("far",)]
    assert allocation.next_stage(2, 0, claims, found) == []


def test_outcomes_of_a_study_share_the_games_of_a_cell():
    claims = {("price", name, 4): judged(1.0, value) for name, value in (("one", 0.1), ("two", 0.12))}
    found = answered(claims, alone=True)
    alone = [
        allocation.next_stage(2, 10**9, {asked: each}, {asked: found[asked]})[0].parts for asked, each in claims.items()
    ]
    [both] = allocation.next_stage(2, 10**9, claims, found)
    assert both.outcomes == ("one", "two")
    assert both.parts == max(alone)


def test_later_stages_count_for_an_answer():
    first = judged(1.0, 0.15)
    more = first._replace(later={CELLS[1]: (block_mean(np.random.default_rng(2).normal(0.15, 0.5, 9_000)),)})
    answers = answered({("price", "one", 4): first, ("price", "two", 4): more}, alone=True)
    assert [each.word for each in answers.values()] == [UNKNOWN, HOLDS]


@pytest.mark.skipif(OWN not in published_studies(), reason="the register has no figures of robustness")
def test_what_is_not_known_says_how_many_games_it_would_take():
    claims, found = published_claims(), project_answers()
    unknown = [asked for asked, answer in found.items() if answer.word == UNKNOWN]
    for asked in unknown:
        games = claims[asked].games_needed(found[asked])
        assert 0 < games < float("inf")
