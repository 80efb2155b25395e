"""The study `robustness` judges every headline of every study in every cell, with the studies' own code."""

import re
from importlib import import_module

import numpy as np
import pytest
from analyses.effects import experiment_of, scenarios_played
from analyses.kept import Kept
from analyses.lineup_games import play
from analyses.random_tables import TablesExperiment, seated_at_random
from analyses.robustness_boards import CASES, NO_BORDER, OTHER_COUNTY, PRINTED, THREE, AssumedBoards
from analyses.robustness_sources import AMOUNTS, DRAFT, EXPANDING, LINEUPS, PRICE, SOURCES, TILES, keys_of
from analyses.robustness_study import RANDOM, ROWS, Task, answer_of, gathered

from analyses import (
    draft_claims,
    event_effects,
    expansion_effects,
    first_look,
    lineup_effects,
    price,
    robustness,
    robustness_sources,
    robustness_study,
    robustness_tables,
    tile_worth,
)
from tests.analyses.studies import filled, is_png, names_in, page_for, run_study, table_of
from tests.notebooks import run_notebook
from tests.test_architecture import ROOT
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.board import load_board
from wallsim.rules.board_check import check_board
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean

# It judges its claims in all usual plays, under all towers and in both set-ups itself.
ELSEWHERE = {"tower"}
EDITIONS = [("editions", claim) for claim in robustness_sources.EDITION_CLAIMS]


def some(policies="random", **changes):
    """An experiment whose games are short."""
    return Experiment(seed=3, policies=policies, **changes)


def found_with(scope, value_of):
    """The results of a study whose every estimate is near `value_of(task, claim)` above what is claimed."""
    rng = np.random.default_rng(8)
    played = []
    for case in CASES:
        for source in case.sources:
            for cell in scope.cells(source, case):
                task = Task(case, source, cell)
                noise = rng.normal(0, 1, scope.rows)
                outcomes = {
                    claim.outcome: block_mean(claim.above + value_of(task, claim) + noise - noise.mean())
                    for _, claim in keys_of(source)
                }
                played.append((task, outcomes))
    return gathered(scope, played)


def full_scope():
    return robustness_study.scope_of()


def test_every_headline_of_every_study_is_judged():
    judged = {key for source in SOURCES for key in keys_of(source)}
    modules = {path.stem: import_module(f"analyses.{path.stem}") for path in (ROOT / "analyses").glob("*.py")}
    claims = {claim for name, module in modules.items() if name not in ELSEWHERE for claim in _claims(module)}
    assert {claim for _, claim in judged} == claims | {claim for _, claim in EDITIONS}
    assert {study for study, _ in judged} == {
        "price", "tiles", "events", "first_look", "lineups", "draft", "expansions", "editions", "amounts",
    }  # fmt: skip
    assert len(judged) == sum(len(keys_of(source)) for source in SOURCES)


def _claims(module):
    return [claim for claim in getattr(module, "CLAIMS", ()) if isinstance(claim, Claim)]


def test_the_cross_has_six_pools_nine_towers_and_both_setups():
    scope = full_scope()
    assert (len(scope.pools), scope.towers, scope.rows) == (6, tuple(TOWERS), ROWS)
    assert robustness_study.scope_of(load_experiment(robustness.EXPERIMENT).games) == scope
    [printed, *others] = CASES
    sizes = {source.name: len(scope.cells(source, printed)) for source in SOURCES}
    fewer = {"line-ups": 54, "draft": 54, AMOUNTS.name: 18}
    assert sizes == {source.name: fewer.get(source.name, 108) for source in SOURCES}
    for source in SOURCES:
        assert {cell.setup for cell in scope.cells(source, printed)} == set(source.setups)
        assert RANDOM in {cell.play for cell in scope.cells(source, printed)}
    for case in others:
        assert {cell.tower for source in case.sources for cell in scope.cells(source, case)} == {scope.towers[0]}
    assert {cell.setup for cell in scope.cells(PRICE, next(case for case in CASES if case.name == THREE))} == {"lineup"}


def test_with_expansions_weights_tuned_without_them_are_not_called_strong():
    plays = robustness_study.plays_for(EXPANDING, 4)
    assert [play.policy for play in plays.values() if play.strength == STRONG] == ["strong-4p-bigbox"]
    assert len(plays) == 5


def test_planted_verdicts_are_recovered():
    """One claim stands everywhere, one turns under one tower for two pools, one is open in one pool."""
    stands, turns, opens = price.CLAIMS[:3]
    where = {Cell(pool, "rulebook-urn", setup) for pool in (STRONG, RANDOM) for setup in SETUPS}

    def value_of(task, claim):
        if claim == turns and task.cell in where and task.case.name == PRINTED:
            return -1.0
        return 0.02 if claim == opens and task.cell.play == RANDOM else 1.0

    found = found_with(full_scope(), value_of)
    verdicts = {claim: found.verdict(PRINTED, ("price", claim)) for claim in (stands, turns, opens)}
    assert [answer_of(verdicts[claim]) for claim in (stands, turns, opens)] == ["stands", "turns", "open"]
    assert verdicts[stands].robust
    assert set(verdicts[turns].where("fails")) == where
    assert len(verdicts[turns].where("holds")) == 108 - len(where)
    assert {cell.play for cell in verdicts[opens].where("open")} == {RANDOM}
    assert len(verdicts[opens].where("open")) == 18
    rows = {tuple(row[:2]): row for row in table_of(robustness_tables.claim_table(found), "study")}
    assert rows["price", stands.words][2:6] == ["stands", "108", "0", "0"]
    assert rows["price", turns.words][2:6] == ["turns", "104", "4", "0"]
    assert rows["price", turns.words][7] == "`rulebook-urn` under strong, random tables"
    assert rows["price", opens.words][2:6] == ["open", "90", "0", "18"]
    towers = table_of(robustness_tables.factor_table(found, ("tower",)), "holds / fails / open")
    row = next(row for row in towers if row[0] == turns.words)
    assert row[1 + list(TOWERS).index("rulebook-urn")] == "8 / 4 / 0"
    words = robustness_tables.answer_words(found)
    assert f"Of {len(robustness_tables.claims_of(found))} claims " in words
    assert f"What turns: {turns.words.rstrip('.')} (price)." in words


def test_a_claim_that_stands_without_a_second_line_of_strong_play_is_marked():
    found = found_with(full_scope(), lambda task, claim: 1.0)
    for row in table_of(robustness_tables.claim_table(found), "study"):
        assert row[2] == ("stands *" if row[0] in ("expansions", "editions") else "stands")


def test_an_assumed_figure_that_turns_a_claim_is_named():
    turned = tile_worth.CLAIMS[0]

    def value_of(task, claim):
        return -1.0 if claim == turned and task.case.name in (NO_BORDER, OTHER_COUNTY) else 1.0

    found = found_with(full_scope(), value_of)
    words = robustness_tables.answer_words(found)
    for name in (NO_BORDER, OTHER_COUNTY):
        assert f"{turned.words.rstrip('.')} ({name})" in words
    assert "favors:" not in words
    [row] = [row for row in table_of(robustness_tables.board_table(found), "holds / fails / open; the mean moves by")
             if row[0] == turned.words]  # fmt: skip
    assert row[1] == "12 / 0 / 0"
    assert row[2].startswith("0 / 12 / 0; −2.00")
    assert row[3:5] == ["6 / 0 / 0", row[4]]
    assert row[4].startswith("0 / 6 / 0; −2.00")
    assert row[5:] == ["–"] * 3


def test_the_intervals_told_are_counted_and_every_table_says_what_it_rests_on():
    found = found_with(full_scope(), lambda task, claim: 1.0)
    cells = sum(len(cells) for by_key in found.estimates.values() for cells in by_key.values())
    text = robustness.figures(found)
    claims = len(robustness_tables.claims_of(found))
    moved = len(re.findall(r"\d; [−+]?0\.00", robustness_tables.board_table(found)))
    assert moved == sum(len(found.estimates[case.name]) for case in CASES if case.name not in (PRINTED, THREE))
    assert found.sure.n_comparisons == cells + claims * (6 + 2 + 1) + moved
    assert found.sure.min_blocks <= ROWS
    told = re.findall(r"(?m)^\| --- .*\n(?:\|.*\n)+\n(.*)$", text)
    assert len(told) == 5
    for table in told:
        for fact in ("weak, casual, middling, strong, second strong, random tables", *TOWERS, "seed 202683", "n = 360",
                     "Assumed: the figures of 15 favors", "Anhalt", "Altmark–Vorpommern"):  # fmt: skip
            assert fact in table


@pytest.mark.parametrize(
    ("module", "games"), [(tile_worth, 2), (price, 2), (event_effects, 1)], ids=["tiles", "price", "events"]
)
def test_outcomes_by_game_are_those_of_blocks(module, games):
    cell, many = Cell(MIDDLING, "mid", "draft"), [4] if module is tile_worth else []
    wanted, seasons = module.scenarios(*many), module is event_effects
    played = dict(
        scenarios_played(module.EXPERIMENT, cell, wanted, games, module.count, seasons=seasons, kept=Kept(None))
    )
    by_block = module.outcomes(played, *many)
    by_game = module.claim_outcomes(experiment_of(module.EXPERIMENT, cell), games, workers=1)
    assert {name: each.value for name, each in by_game.items()} == pytest.approx(
        {name: each.value for name, each in by_block.items()}
    )
    assert {each.blocks for each in by_game.values()} == {24 * games}
    assert set(by_game) >= {claim.outcome for claim in module.CLAIMS}


def test_outcomes_of_lineups_are_those_of_their_study():
    own = lineup_effects.claim_outcomes(some(), 24, workers=1)
    found = robustness_sources.lineup_outcomes(some(), 1, workers=1)
    assert set(found) == {claim.outcome for _, claim in keys_of(LINEUPS)}
    for name, each in own.items():
        assert found[name].value == each.value
        assert np.array_equal(found[name].influence, each.influence)
    three = robustness_sources.lineup_outcomes(some(players=3), 1, workers=1)
    assert set(three) == set(own) - {lineup_effects.LEADER}


def test_lineups_at_random_tables_are_played_by_each_table():
    tables = (("random",) * 4, ("turtle",) * 4)
    experiment = seated_at_random(some(), tables, 12)
    mixed = play(experiment.components(), 3, 1, 1)
    for place, table in enumerate(tables):
        alone = play(some().model_copy(update={"policies": table}).components(), 3, 1, 1)
        rows = slice(12 * place, 12 * place + 12)
        assert np.array_equal(mixed.vp[rows], alone.vp[rows])
    assert not np.array_equal(mixed.vp, alone.vp)


def test_outcomes_of_expansions_are_those_of_their_study():
    own = expansion_effects.claim_outcomes(some(seasons=True), 2, workers=1)
    found = robustness_sources.expansion_outcomes(some(seasons=True), 2, workers=1)
    assert {name: each.value for name, each in found.items()} == pytest.approx(
        {name: each.value for name, each in own.items()}
    )
    assert {each.blocks for each in found.values()} == {48}


def test_statues_that_score_at_the_end_alone_bring_less():
    found = robustness_sources.edition_outcomes(some(policies="balanced"), 2, workers=1)
    assert set(found) == {claim.outcome for _, claim in EDITIONS}
    assert found[robustness_sources.EDITION_CLAIMS[1].outcome].value > 1


def test_random_tables_are_seated_in_their_pool_alone():
    cell = Cell(RANDOM, "mid", "lineup")
    for source in SOURCES:
        experiment = robustness_study.experiment_of(source, CASES[0], cell._replace(setup=source.setups[0]), 72)
        assert isinstance(experiment, TablesExperiment)
        assert (len(experiment.tables), experiment.games_a_table) == (72, source.games_a_row)
        blocks = robustness_sources.blocks_for(source, 72, 4)
        assert blocks * 24 == 72 * source.games_a_row
    assert not isinstance(
        robustness_study.experiment_of(PRICE, CASES[0], cell._replace(play=STRONG), 72), TablesExperiment
    )


def test_boards_differ_from_the_printed_one_in_the_assumed_figure_alone(tmp_path):
    boards, printed = AssumedBoards(tmp_path), load_board()
    fewer, other = boards.without_border(), boards.with_next_guess()
    for place in (fewer, other):
        assert not list(check_board(place))
    name = printed.counties.index
    pair = [name("Altmark"), name("Vorpommern")]
    assert _borders(printed) - _borders(load_board(fewer)) == {tuple(pair), tuple(reversed(pair))}
    assert not _borders(load_board(fewer)) - _borders(printed)
    assert load_board(fewer).lineups == printed.lineups
    guessed = load_board(other)
    assert _borders(guessed) == _borders(printed)
    apart = {key for key in printed.lineups if printed.lineups[key] != guessed.lineups[key]}
    assert apart == {(3, "A")}
    before, after = (set(map(tuple, board.lineups[3, "A"])) for board in (printed, guessed))
    assert {entry[:2] for entry in before - after} == {(name("Anhalt"), 2)}
    assert {entry[:2] for entry in after - before} == {(name("Altmark"), 2)}
    assert set((tmp_path / "boards").iterdir()) == {fewer, other}


def _borders(board):
    return {(one, other) for one in range(45) for other in range(45) if int(board.neighbours[one]) >> other & 1}


def test_what_is_played_is_kept_with_its_units(tmp_path):
    task = Task(CASES[0], TILES, Cell(RANDOM, "spielbyweb", "draft"))
    kept = Kept(tmp_path)
    first = robustness_study.outcomes_of(task, 24, None, kept)
    assert {each.blocks for each in first.values()} == {24}
    silent = task._replace(source=TILES._replace(outcomes=None))  # it cannot be played
    again = robustness_study.outcomes_of(silent, 24, None, kept)
    for name, each in first.items():
        assert again[name].value == each.value
        assert np.array_equal(again[name].influence, each.influence)
    with pytest.raises(TypeError):
        robustness_study.outcomes_of(silent, 48, None, kept)


def test_few_games_are_still_enough_for_the_worth_of_all_counties():
    scope = robustness_study.scope_of(1, quick=True)
    assert scope.rows * DRAFT.games_a_row >= draft_claims.LEAST_GAMES
    for case in CASES:
        for source in case.sources:
            assert robustness_sources.blocks_for(source, scope.rows, case.players) > 0
    assert robustness_study.digest(scope) != robustness_study.digest(scope._replace(rows=2 * scope.rows))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_the_command_writes_its_page_picture_and_files_and_the_notebook_shows_them(tmp_path, monkeypatch):
    status, printed, errors = run_study(robustness, tmp_path, "--quick", *page_for(robustness, tmp_path))
    assert (status, errors) == (0, "")
    assert is_png(tmp_path / "it.png")
    scope = robustness.scope_of(quick=True)
    assert (tmp_path / "page.md").read_text("utf-8") == filled(robustness, (robustness.digest(scope), printed))
    rows = table_of(printed, "study")
    assert [(row[0], row[1]) for row in rows] == [
        (study, claim.words) for source in SOURCES for study, claim in keys_of(source)
    ]
    assert {row[0] for row in rows} >= {"first_look", *(source.name for source in SOURCES if source is not LINEUPS)}
    assert first_look.CLAIMS[0].words in printed
    assert names_in(robustness, tmp_path / "runs") == {"boards", "cells.parquet", "parts", "study.json"}
    [answer] = re.findall(r"^\*\*Answer\.\*\* .*", printed, re.MULTILINE)
    assert "±" in answer
    assert "not known" not in answer
    run_notebook("robustness", tmp_path, monkeypatch, GAMES="None", FOLDER=repr(str(tmp_path / "runs")))
