"""The study `robustness` judges every headline of every study in every cell, with the studies' own code."""

import re
from importlib import import_module
from itertools import product

import numpy as np
import pytest

from tests.analyses.studies import figures_in, look, table_of
from tests.studies.first_screens import finding_errors
from wallsim.analyses.draft import deals as draft_deals
from wallsim.analyses.expansions.boards import Boards
from wallsim.analyses.lineups.games import play
from wallsim.analyses.price import study as price
from wallsim.analyses.robustness import estimates as it
from wallsim.analyses.robustness import study as page
from wallsim.analyses.robustness.answers import answers_in, claims_of
from wallsim.analyses.tiles import estimates as tile_worth
from wallsim.analysis.claims.answers import DEPENDS, HOLDS, UNKNOWN
from wallsim.analysis.claims.cells import CALIBRATIONS, CASUAL, MIDDLING, STRONG, Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.rules.board import load_board
from wallsim.rules.board_check import check_board
from wallsim.stats.blocks import block_mean
from wallsim.studies import scenarios
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.claims import CLAIM
from wallsim.studies.quantities import Key
from wallsim.studies.random_tables import TablesExperiment, seated_at_random
from wallsim.studies.register import read_register
from wallsim.studies.scope import CASUAL_TABLE
from wallsim.studies.study import Choices

FULL = it.scope_of(Choices())


def found_with(value_of):
    """The figures of a full study whose every estimate is near `value_of(case, cell, claim)` above what is claimed."""
    rng, values = np.random.default_rng(8), {}
    for case, by, cell, names in FULL.tasks():
        noise = rng.normal(0, 1, FULL.rows)
        for claim in by.judged.claims:
            if names is None or claim.outcome in names:
                planted = block_mean(claim.above + value_of(case.name, cell, claim) + noise - noise.mean())
                values[Key(case.quantity, f"{by.name} {claim.outcome}", case.players, cell)] = planted
    return figures_in("robustness", values | dict(it.moves_of(values)))


def test_every_claim_of_every_study_is_judged_and_no_two_have_the_same_words():
    """A study that has claims says how they are judged, in one family with all others."""
    judged = {(own.name, claim) for own in it.sources() for claim in own.judged.claims}
    assert len(judged) == sum(len(own.claims) for own in it.sources())
    claimed = set()
    for name in own_studies():
        for path in load_study(name).folder.glob("*.py"):
            module = import_module(f"wallsim.analyses.{name}.{path.stem}")
            claimed |= {(name, claim) for claim in getattr(module, "CLAIMS", ()) if isinstance(claim, Claim)}
    names = {name for name, _ in claimed}
    assert names <= {name for name, _ in judged}
    for name in names:
        assert {claim for of, claim in judged if of == name} <= {claim for of, claim in claimed if of == name}
    words = {}
    for name, claim in claimed | judged:
        words.setdefault(claim.words, set()).add((name, claim.outcome))
    assert {text: where for text, where in words.items() if len(where) > 1} == {}


def test_every_board_has_the_three_tables_and_random_tables_in_each_set_up():
    assert (len(FULL.pools), FULL.towers, FULL.rows) == (6, CALIBRATIONS, it.ROWS)
    assert it.scope_of(Choices(load_experiment(it.EXPERIMENT).games)) == FULL
    for case, own in product(it.CASES, it.replayed()):
        cells = [cell for each, by, cell, names in FULL.tasks() if (each, by, names) == (case, own, None)]
        if cells:
            setups = own.judged.setups if case.players == 4 else ("lineup",)
            assert len(cells) == len({*cells}) == 3 + len(setups)
            assert {cell.setup for cell in cells if cell.play == it.RANDOM} == {*setups}
            assert {own.place_of(cell.play) for cell in cells} == {CASUAL, STRONG, "second strong", it.RANDOM}
            assert {cell.tower for cell in cells} == {FULL.towers[0]}


def test_settings_are_played_here_for_outcomes_that_their_study_does_not_judge_there_and_for_no_others():
    """All studies but those judge their claims in the settings themselves, as the register shows."""
    played = {}
    for case, own, cell, names in FULL.tasks():
        if case == it.CASES[0]:
            for outcome in own.claims if names is None else names:
                played.setdefault((own.name, outcome), []).append(cell)
    for own in it.replayed():
        settings, published = {*own.cells(FULL.settings)}, read_register(own.name)
        for outcome in own.claims:
            if outcome in own.judged.unpublished:
                assert settings <= {*played[own.name, outcome]}
            else:
                there = published.cells(CLAIM, outcome, players=4)
                assert settings <= {cell._replace(setup=cell.setup.replace("deal", "draft")) for cell in there}


@pytest.mark.slow
def test_planted_answers_are_recovered():
    """One claim holds everywhere, one fails for two pools, one is next to nothing at random tables."""
    stands, turns, opens = list(price.CLAIMS)[:3]
    price_cells = {cell for case, by, cell, _ in FULL.tasks() if (case, by) == (it.CASES[0], it.source("price"))}
    where = {cell for cell in price_cells if cell.play in (STRONG, it.RANDOM)}

    def value_of(case, cell, claim):
        if claim == turns and cell in where and case == it.CASES[0].name:
            return -1.0
        return 0.02 if claim == opens and cell.play == it.RANDOM else 1.0

    figures = found_with(value_of)
    found, every = answers_in(figures), price_cells
    answers = [found["price", claim.outcome, 4][1] for claim in (stands, turns, opens)]
    assert [answer.word for answer in answers] == [HOLDS, DEPENDS, UNKNOWN]
    assert [set(answer.fails_in) for answer in answers] == [set(), where, set()]
    assert {cell.play for cell in every - set(answers[2].holds_in)} == {it.RANDOM}
    assert set(answers[1].holds_in) == every - where
    counts = {row[0]: (int(row[2]), int(row[-1])) for row in table_of(page.first(figures, FULL), "answer")}
    checks = sum(asked.claim.check for asked in claims_of(figures) if asked.claim not in (stands, turns, opens))
    findings = len(claims_of(figures)) - checks - 3
    planted = {HOLDS: (findings, checks + stands.check), DEPENDS: (1, 0), UNKNOWN: (1, 0)}
    assert (stands.check, turns.check, opens.check) == (True, False, False)
    assert {word: each for word, each in counts.items() if any(each)} == planted


def test_title_box_and_table_count_findings_by_the_same_answers_and_no_checks():
    """A check that fails somewhere changes no number of the first screen, a finding does."""
    findings = [claim for claim in price.CLAIMS if not claim.check]
    wrong = [next(claim for claim in price.CLAIMS if claim.check), findings[0]]

    def value_of(case, cell, claim):
        turned = claim in wrong and cell.play == CASUAL and case == it.CASES[0].name
        return -1.0 if turned else 0.0 if claim == findings[1] else 1.0

    texts = []
    for value in (lambda *_: 1.0, value_of, lambda *_: -1.0):
        figures = found_with(value)
        texts.append(page.finding(figures, FULL))
        assert finding_errors(texts[-1], page.first(figures, FULL)) == []
        table = {row[0]: row[2] for row in table_of(page.first(figures, FULL), "answer")}
        assert texts[-1].title.startswith(f"{table[HOLDS]} of {sum(map(int, table.values()))} findings")
        said = re.findall(r"\d+", texts[-1].differs + texts[-1].unknown)
        assert {int(number) for number in said} <= {*map(int, table.values())}
    count = sum(not asked.claim.check for asked in claims_of(figures))
    assert [re.findall(r"\d+", each.title)[:2] for each in texts] == [
        [f"{held}", f"{count}"] for held in (count, count - 2, 0)
    ]
    assert texts[1].differs.startswith("1 findings hold for some")
    assert texts[1].unknown.startswith("1 findings")


def test_an_assumed_figure_that_turns_a_claim_is_named():
    turned = next(iter(tile_worth.CLAIMS))
    figures = found_with(
        lambda case, _, claim: -1.0 if claim == turned and case in (it.NO_BORDER, it.OTHER_COUNTY) else 1.0
    )
    assert {(case.name, asked.claim): words for (case, asked), words in page.turned_cells(figures).items()} == {
        (it.NO_BORDER, turned): "; 5 of 5 cells turned",
        (it.OTHER_COUNTY, turned): "; 4 of 4 cells turned",
    }


@pytest.mark.parametrize(("name", "games"), [("tiles", 2), ("price", 2), ("events", 1)])
def test_outcomes_by_game_have_a_unit_a_game(name, games):
    own = it.source(name)
    experiment = scenarios.experiment_of(load_study(name).experiment_file, Cell(MIDDLING, "mid", "draft"))
    outcomes = own.outcomes(experiment, games)
    assert {each.blocks for each in outcomes.values()} == {24 * games}
    assert set(outcomes) >= {claim.outcome for claim in own.judged.claims}


def test_lineups_at_random_tables_are_played_by_each_table():
    short = Experiment(seed=3, policies="random")
    tables = (("random",) * 4, ("turtle",) * 4)
    mixed = play(seated_at_random(short, tables, 12).components(), 3, 1, 1)
    for place, table in enumerate(tables):
        alone = play(short.changed(policies=table).components(), 3, 1, 1)
        rows = slice(12 * place, 12 * place + 12)
        assert np.array_equal(mixed.vp[rows], alone.vp[rows])
    assert not np.array_equal(mixed.vp, alone.vp)


def test_random_tables_are_seated_in_their_pool_alone():
    for own in it.replayed():
        experiment = it.experiment_of(own, 4, Cell(it.RANDOM, "mid", own.judged.setups[0]), 72)
        assert isinstance(experiment, TablesExperiment)
        assert (len(experiment.tables), experiment.games_a_table) == (72, own.judged.games_a_row)
    alone = it.experiment_of(it.source("price"), 4, Cell(STRONG, "mid", "lineup"), 72)
    assert not isinstance(alone, TablesExperiment)


def test_boards_differ_from_the_printed_one_in_the_assumed_figure_alone(tmp_path):
    cases = {case.name: case for case in it.CASES}
    fewer, other = (cases[name].written(Boards(tmp_path)) for name in (it.NO_BORDER, it.OTHER_COUNTY))
    assert not [*check_board(fewer), *check_board(other)]
    assert set((tmp_path / "boards").iterdir()) == {fewer, other}
    home = draft_deals.in_cell(Cell(MIDDLING, "spielbyweb", draft_deals.DEAL))
    grounds = [draft_deals.Ground(each) for each in (home, home.changed(board=str(fewer)))]
    assert grounds[0].borders.sum() - grounds[1].borders.sum() == 2  # of the one pair, both ways
    printed, fewer, other = load_board(), load_board(fewer), load_board(other)
    name = printed.counties.index
    pair = name("Altmark"), name("Vorpommern")
    assert _borders(printed) ^ _borders(fewer) == {pair, pair[::-1]} == _borders(printed) - _borders(fewer)
    assert fewer.lineups == printed.lineups
    assert _borders(other) == _borders(printed)
    assert {key for key in printed.lineups if printed.lineups[key] != other.lineups[key]} == {(3, "A")}
    before, after = (set(map(tuple, board.lineups[3, "A"])) for board in (printed, other))
    assert [{entry[:2] for entry in each} for each in (before - after, after - before)] == [
        {(name("Anhalt"), 2)}, {(name("Altmark"), 2)},
    ]  # fmt: skip


def _borders(board):
    return {(one, other) for one in range(45) for other in range(45) if int(board.neighbours[one]) >> other & 1}


def test_few_games_are_still_enough_for_the_worth_of_all_counties():
    scope = it.scope_of(Choices(1, True))
    assert scope.rows * it.source("draft").judged.games_a_row >= draft_deals.LEAST_GAMES
    for case, own, *_ in scope.tasks():
        assert scope.rows * own.judged.games_a_row % (6 * case.players) == 0


@pytest.mark.slow
def test_the_study_judges_the_claims_of_every_source_on_every_board(tmp_path, monkeypatch):
    """At the casual table; without the worths of counties, which need many games."""
    few = tuple(own for own in it.replayed() if own.name != "draft")
    monkeypatch.setattr(it, "sources", lambda: few)
    scope = it.scope_of(Choices(1, True))._replace(tables=(CASUAL_TABLE,), rows=72)
    values = it.play(scope, page.STUDY.storage(tmp_path))
    played = {(key.quantity, key.players, key.item.split(" ")[0], key.cell) for key in values}
    assert played >= {(case.quantity, case.players, own.name, cell) for case, own, cell, _ in scope.tasks()}
    assert {each.blocks for each in values.values()} == {72}
    assert all(np.isfinite(each.value) for each in values.values())


@pytest.mark.slow
@pytest.mark.nightly
def test_the_study_judges_every_claim(tmp_path):
    printed = look("robustness", tmp_path / "runs", workers=None).text
    rows = table_of(printed, "study")
    assert [(row[0], row[1]) for row in rows] == [
        (own.name, claim.words) for own in it.replayed() for claim in own.judged.claims
    ]
    assert "boards" in {path.name for path in (tmp_path / "runs").iterdir()}
    assert sum(int(row[2]) for row in table_of(printed, "answer")) == len(rows)
    assert all(" to " in row[5] for row in rows)
    assert "nan" not in printed
