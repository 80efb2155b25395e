"""The study `robustness` judges every headline of every study in every cell, with the studies' own code."""

import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from tests.analyses.studies import look, table_of
from wallsim.analyses.draft import cells as draft_cells
from wallsim.analyses.first_look import estimates as first_look
from wallsim.analyses.lineups.games import play
from wallsim.analyses.price import study as price
from wallsim.analyses.robustness import estimates as robustness_study
from wallsim.analyses.robustness import figures as robustness_figures
from wallsim.analyses.robustness import sources as robustness_sources
from wallsim.analyses.robustness import study as robustness_page
from wallsim.analyses.robustness.answers import answers_in, claims_in
from wallsim.analyses.robustness.boards import CASES, NO_BORDER, OTHER_COUNTY, PRINTED, THREE, AssumedBoards
from wallsim.analyses.robustness.estimates import RANDOM, ROWS, Task
from wallsim.analyses.robustness.sources import keys_of, source, sources
from wallsim.analyses.tiles import estimates as tile_worth
from wallsim.analysis.claims.answers import DEPENDS, HOLDS, LITTLE
from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.board import load_board
from wallsim.rules.board_check import check_board
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.grids import sure_of, texts_of
from wallsim.studies.random_tables import TablesExperiment, seated_at_random
from wallsim.studies.running import digest_of
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.study import Choices

# It judges its claims in all default plays, under all towers and in both set-ups itself.
ELSEWHERE = {"tower"}


def sources_by_name():
    """All sources by name."""
    return {each.name: each for each in sources()}


def some(policies="random", **changes):
    """An experiment whose games are short."""
    return Experiment(seed=3, policies=policies, **changes)


def found_with(scope, value_of):
    """The figures of a study whose every estimate is near `value_of(task, claim)` above what is claimed."""
    rng = np.random.default_rng(8)
    played = []
    for task in robustness_study.tasks_of(scope):
        noise = rng.normal(0, 1, scope.rows)
        played.append((task, {
            claim.outcome: block_mean(claim.above + value_of(task, claim) + noise - noise.mean())
            for _, claim in keys_of(task.source)
        }))  # fmt: skip
    rows = Rows("robustness", 1, "0" * 12)
    robustness_figures.add_figures(robustness_study.Played(scope, played), rows)
    return rows.done()


def full_scope():
    return robustness_study.scope_of(Choices())


def test_every_claim_of_every_study_is_judged():
    """A study that has claims says how they are judged again, except those that judge all of their cells themselves."""
    judged = {key for own in sources() for key in keys_of(own)}
    claimed = set()
    for name in own_studies():
        folder = load_study(name).folder
        for path in folder.glob("*.py"):
            module = import_module(f"wallsim.analyses.{name}.{path.stem}")
            claimed |= {(name, claim) for claim in getattr(module, "CLAIMS", ()) if isinstance(claim, Claim)}
    claimed = {(name, claim) for name, claim in claimed if name not in ELSEWHERE}
    names = {name for name, _ in claimed}
    assert names
    assert {key for key in judged if key[0] in names} == {
        key for key in claimed if key[1] in load_study(key[0]).judged[0].claims
    }
    assert names <= {name for name, _ in judged}
    assert len(judged) == sum(len(keys_of(own)) for own in sources())


def test_sources_are_found_in_alphabetical_order_and_a_study_without_claims_is_none():
    assert list(sources_by_name()) == sorted(sources_by_name())
    with pytest.raises(KeyError, match="zoo"):
        source("zoo")


def test_the_cross_has_six_pools_all_towers_and_both_setups():
    scope = full_scope()
    assert (len(scope.pools), scope.towers, scope.rows) == (6, scope.towers, ROWS)
    assert set(CALIBRATIONS) <= set(scope.towers) <= set(TOWERS)
    assert robustness_study.scope_of(Choices(load_experiment(robustness_study.EXPERIMENT).games)) == scope
    [printed, *others] = CASES
    sizes = {name: len(scope.cells(each, printed)) for name, each in sources_by_name().items()}
    one, both = 6 * len(scope.towers), 12 * len(scope.towers)
    expected = {name: one if name in ("lineups", "first_look", "draft") else both for name in sizes}
    assert sizes == {**expected, "amounts": 6 * len(CALIBRATIONS)}
    for each in sources():
        assert {cell.setup for cell in scope.cells(each, printed)} == set(each.setups)
        assert RANDOM in {cell.play for cell in scope.cells(each, printed)}
    for case in others:
        assert {cell.tower for each in case.sources for cell in scope.cells(each, case)} == {scope.towers[0]}
    three = next(case for case in CASES if case.name == THREE)
    assert {cell.setup for cell in scope.cells(source("price"), three)} == {"lineup"}


def test_with_expansions_weights_tuned_without_them_are_not_called_strong():
    plays = robustness_study.plays_for(source("expansions"), 4)
    assert [play.policy for play in plays.values() if play.strength == STRONG] == ["strong-4p-bigbox"]
    assert len(plays) == 5


@pytest.mark.slow
def test_planted_answers_are_recovered():
    """One claim holds everywhere, one fails under one tower for two pools, one is next to nothing in one pool."""
    stands, turns, opens = list(price.CLAIMS)[:3]
    where = {Cell(pool, "rulebook", setup) for pool in (STRONG, RANDOM) for setup in SETUPS}

    def value_of(task, claim):
        if claim == turns and task.cell in where and task.case.name == PRINTED:
            return -1.0
        return 0.02 if claim == opens and task.cell.play == RANDOM else 1.0

    scope = full_scope()
    figures, every = found_with(scope, value_of), 12 * len(scope.towers)
    verdicts = {}
    for claim in (stands, turns, opens):
        cells = robustness_figures.cells_of(figures, ("price", claim))
        verdicts[claim] = robustness_figures.verdict(("price", claim), cells)
    claims, found = claims_in(figures), answers_in(figures)
    assert [found["price", claim.outcome, 4].word for claim in (stands, turns, opens)] == [HOLDS, DEPENDS, LITTLE]
    assert set(found["price", turns.outcome, 4].fails_in) == where
    assert verdicts[stands].robust
    assert set(verdicts[turns].where("fails")) == where
    assert len(verdicts[turns].where("holds")) == every - len(where)
    assert {cell.play for cell in verdicts[opens].where("open")} == {RANDOM}
    assert len(verdicts[opens].where("open")) == every // 6
    text = texts_of(figures, robustness_page.tables(figures, scope, claims, found))
    row = next(row for row in table_of(text, "study") if row[1] == turns.words)
    assert row[2:5] == [DEPENDS, f"{every - 4} of {every}", f"4 of {every}"]
    assert row[7] == "`rulebook` under strong, random tables"
    assert f"What depends, and mostly on what: {turns.words.rstrip('.')} (price; " in text
    counts = {row[0]: row[2] for row in table_of(robustness_page.count_table(found), "answer")}
    count = len(robustness_page.claims_of(figures))
    assert counts == {**dict.fromkeys(counts, "0"), HOLDS: str(count - 2), DEPENDS: "1", LITTLE: "1"}


def test_the_finding_counts_the_claims_that_hold_at_both_tables():
    """What fails in casual play with line-ups, or in one strong line in the draft, is not counted there."""
    wrong = {next(iter(price.CLAIMS)): (CASUAL, "lineup"), list(price.CLAIMS)[1]: ("second strong", "draft")}

    def value_of(task, claim):
        turned = wrong.get(claim) == (task.cell.play, task.cell.setup) and task.case.name == PRINTED
        return -1.0 if turned else 1.0

    texts = []
    for value in (lambda task, claim: 1.0, value_of, lambda task, claim: -1.0):
        figures = found_with(full_scope(), value)
        found = answers_in(figures)
        finding = robustness_page.finding_of(claims_in(figures), found)
        assert finding_errors(finding, robustness_page.count_table(found)) == []
        texts.append(finding)
    some = texts[1]
    count = len(found)
    assert [re.findall(r"\d+ of \d+", each.title) for each in texts] == [
        [f"{holding} of {count}"] for holding in (count, count - 2, 0)
    ]
    casual = [int(re.match(r"\d+", each.casual)[0]) for each in texts]
    experienced = [int(re.match(r"\d+", each.experienced)[0]) for each in texts]
    assert casual == [casual[0], casual[0] - 1, 0]
    assert experienced == [experienced[0], experienced[0] - 1, 0]
    assert (some.unknown, texts[0].differs) == ("", "")
    assert some.differs.startswith("2 claims hold in some")


def test_an_assumed_figure_that_turns_a_claim_is_named():
    turned = next(iter(tile_worth.CLAIMS))

    def value_of(task, claim):
        return -1.0 if claim == turned and task.case.name in (NO_BORDER, OTHER_COUNTY) else 1.0

    figures = found_with(full_scope(), value_of)
    cells = robustness_page.turned_cells(figures)
    assert {(case.name, *key): words for (case, key), words in cells.items()} == {
        (NO_BORDER, "tiles", turned): "; 12 of 12 cells turned",
        (OTHER_COUNTY, "tiles", turned): "; 6 of 6 cells turned",
    }
    words = robustness_page.answer_words(figures, {}, cells)
    for name in (NO_BORDER, OTHER_COUNTY):
        assert f"{turned.words.rstrip('.')} ({name})" in words
    assert "favors:" not in words


def test_all_intervals_are_counted_and_every_claim_stands_under_its_name():
    scope = full_scope()
    figures = found_with(scope, lambda task, claim: 1.0)
    claims = len(robustness_page.claims_of(figures))
    cells = [key for key in figures if not re.match(r"robustness\.(mean|move)", key)]
    moved = [key for key in figures if key.startswith("robustness.move-")]
    [family] = {row.family for row in figures.values()}
    assert family == len(cells) + claims * (6 + 2 + 1) + len(moved)
    assert sure_of([*figures.values()]).min_blocks <= ROWS
    assert all(row.ends is not None for row in figures.values())
    price_row = figures["robustness.as-printed.4p.price-VP-of-four-Thalers/strong/mid/draft"]
    assert (price_row.unit, price_row.null, price_row.n_unit) == ("VP", 0, "rows of games")
    assert figures["robustness.as-printed.4p.price-wins-per-VP/casual/mid"].unit == "% points per VP"
    assert figures["robustness.as-printed.4p.lineups-line-up-A/casual/mid"].null == 25
    assert "robustness.move-no-border.4p.tiles-thaler-against-none" in figures
    text = robustness_page.page(figures, scope).tables
    for row in table_of(text, "study"):
        assert row[2] == ("holds *" if row[0] == "expansions" else "holds")


@pytest.mark.parametrize(("name", "games"), [("tiles", 2), ("price", 2), ("events", 1)])
def test_outcomes_by_game_have_a_unit_a_game(name, games):
    own, cell = source(name), Cell(MIDDLING, "mid", "draft")
    experiment = experiment_of(load_study(name).experiment_file, cell)
    outcomes = own.outcomes(experiment, games, 1)
    assert {each.blocks for each in outcomes.values()} == {24 * games}
    assert set(outcomes) >= {claim.outcome for claim in own.claims}


def test_lineups_at_random_tables_are_played_by_each_table():
    tables = (("random",) * 4, ("turtle",) * 4)
    experiment = seated_at_random(some(), tables, 12)
    mixed = play(experiment.components(), 3, 1, 1)
    for place, table in enumerate(tables):
        alone = play(some().changed(policies=table).components(), 3, 1, 1)
        rows = slice(12 * place, 12 * place + 12)
        assert np.array_equal(mixed.vp[rows], alone.vp[rows])
    assert not np.array_equal(mixed.vp, alone.vp)


def test_random_tables_are_seated_in_their_pool_alone():
    cell = Cell(RANDOM, "mid", "lineup")
    for own in sources():
        experiment = robustness_study.experiment_of(own, 4, cell._replace(setup=own.setups[0]), 72)
        assert isinstance(experiment, TablesExperiment)
        assert (len(experiment.tables), experiment.games_a_table) == (72, own.games_a_row)
        blocks = robustness_sources.blocks_for(own, 72, 4)
        assert blocks * 24 == 72 * own.games_a_row
    assert not isinstance(
        robustness_study.experiment_of(source("price"), 4, cell._replace(play=STRONG), 72), TablesExperiment
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
    task = Task(CASES[0], source("tiles"), Cell(RANDOM, "spielbyweb", "draft"))
    cache = Cache(tmp_path)
    first = robustness_study.outcomes_of(task, 24, None, cache)
    assert {each.blocks for each in first.values()} == {24}
    silent = task._replace(
        source=task.source._replace(judged=replace(task.source.judged, outcomes=None))
    )  # cannot be played
    again = robustness_study.outcomes_of(silent, 24, None, cache)
    for name, each in first.items():
        assert again[name].value == each.value
        assert np.array_equal(again[name].influence, each.influence)
    with pytest.raises(TypeError):
        robustness_study.outcomes_of(silent, 48, None, cache)


def test_few_games_are_still_enough_for_the_worth_of_all_counties():
    scope = robustness_study.scope_of(Choices(1, True))
    assert scope.rows * source("draft").games_a_row >= draft_cells.LEAST_GAMES
    for case in CASES:
        for own in case.sources:
            assert robustness_sources.blocks_for(own, scope.rows, case.players) > 0
    study = load_study("robustness")
    assert digest_of(study, scope) != digest_of(study, scope._replace(rows=2 * scope.rows))


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_study_judges_every_claim(tmp_path):
    printed = look("robustness", tmp_path / "runs", workers=None).text
    rows = table_of(printed, "study")
    assert [(row[0], row[1]) for row in rows] == [
        (study, claim.words) for own in sources() for study, claim in keys_of(own)
    ]
    assert {row[0] for row in rows} == set(sources_by_name())
    assert first_look.CLAIMS[0].words in printed
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {
        "boards", "figures.csv", "parts", "record.json", "robustness.ipynb", "robustness.md", "robustness.png",
    }  # fmt: skip
    assert sum(int(row[2]) for row in table_of(printed, "answer")) == len(rows)
    assert all("±" in row[5] for row in rows)
    assert "nan" not in printed
