"""A claim of the project has one answer: by all cells played for it, pooled, and by games of later stages."""

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from makers import allocation
from makers.allocation import additions_text

from tests.analyses.studies import table_of
from tests.refusals import refused
from wallsim.analyses.robustness import answers as project
from wallsim.analyses.robustness import estimates
from wallsim.analyses.robustness import study as robustness_page
from wallsim.analyses.robustness.answers import Judged, answered
from wallsim.analyses.robustness.estimates import OWN, STAGES, Addition, additions, seed_of, source, sources
from wallsim.analysis.claims.answers import DEPENDS, HOLDS, NEVER_WORSE, UNKNOWN, Answer, Factor, kinds_of_bots
from wallsim.analysis.claims.cells import CASUAL, STRONG, Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.rules.files import data_folder
from wallsim.stats.blocks import Estimate, Measurement, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figures
from wallsim.studies.published import published_studies
from wallsim.studies.publishing import committed
from wallsim.studies.register import ROOM, read_register, write_register
from wallsim.studies.running import digest_of
from wallsim.studies.shared_files import read_played
from wallsim.studies.study import Choices

CELLS = [Cell(play, "mid", "lineup") for play in (CASUAL, STRONG)]
ONE = Addition(2, "price", 4, CELLS[0], 2, ("VP of four Thalers", "VP of one army"))


def judged(*values, rows=1_080):
    """What a claim is judged by whose outcome has these values by cell, each with an error of 0.1."""
    noise = np.random.default_rng(3).normal(0.0, 1.0, rows)
    influence = (noise - noise.mean()) / noise.std(ddof=1) * 0.1 * rows**0.5
    cells = {cell: Estimate(value, influence) for cell, value in zip(CELLS, values, strict=True)}
    row = {cell: each.error**2 * each.blocks for cell, each in cells.items()}
    return Judged(Claim("It is more.", "it", 0.0), "attacks", {}, cells, {}, row, 3)


PLAY = (Factor("play", 0.9),)
WORDS = [  # an answer, its factors, and its words without the factor; with it, its name and share
    (HOLDS, PLAY, "holds", ""),
    (DEPENDS, (Factor("setup", 0.5), Factor("play", 0.2)), "depends", "set-up, 50 %"),
    (NEVER_WORSE, PLAY, "never worse by more than 0.2 attacks", ""),
    (DEPENDS, (Factor("play", 0.05),), "depends", ""),
    (DEPENDS, (), "depends", ""),
]


def test_an_answer_in_words_names_the_factor_it_depends_on():
    for word, factors, said, factor in WORDS:
        expected = f"{said} (mostly by {factor})" if factor else said
        answer = Answer(Claim("x", "x", 0), word, {}, (), (), factors, 0.0, 0.2)
        assert project.in_words(judged(0.0, 0.0), answer) == expected


def test_an_answer_that_is_not_known_names_the_games_that_it_lacks_if_any_number_would_do():
    for values, said in (((1.0, 0.12), r"not known \([\d,]+ more games\)"), ((0.0, 0.0), "not known")):
        [(each, answer)] = answered({("price", "it", 4): judged(*values)}).values()
        assert re.fullmatch(said, project.in_words(each, answer))


def test_an_outcome_that_was_chosen_by_its_own_study_is_judged_by_other_games_alone(monkeypatch):
    own = source("price")
    chosen, other = own.judged.claims[0].outcome, own.judged.claims[1].outcome
    seeds = {study: load_study(study).experiment().seed for study in (own.name, OWN)}
    assert seeds[own.name] != seeds[OWN]

    def judged(outcomes):
        planted = own._replace(judged=replace(own.judged, chosen=outcomes))
        monkeypatch.setattr(project, "sources", lambda: (planted,))
        return project.claims_of_the_register()

    without, found = judged(()), judged((chosen,))
    key = own.name, chosen, 4
    assert without[key].own
    assert not found[key].own
    assert found[key].others == without[key].others
    assert {cell.stages[0].seed for cell in found[key].cells().values()} == {seeds[OWN]}
    assert found[own.name, other, 4] == without[own.name, other, 4]
    assert answered(found)[key][1].holds_in  # it is answered still


def test_a_cell_of_two_studies_counts_once_and_more_precisely():
    both = 0
    for each, _ in project.project_answers().values():
        cells = each.cells()
        assert set(cells) == {*each.own, *each.others}
        for cell in {*each.own} & {*each.others}:
            errors = [one[cell].error for one in (each.own, each.others) if one[cell].error > 0]
            assert not errors or cells[cell].error <= min(errors)
            both += 1
    assert both


def test_figures_of_other_games_are_not_the_published_ones():
    figures, claims = read_register("price"), source("price").judged.claims
    assert project.is_published(figures)
    other = Figures("price", [replace(figure, digest="0" * 12) for figure in figures.values()])
    assert not project.is_published(other)
    assert not project.is_published(Figures("grain", figures.values()))
    assert "not the published" in project.left_open(other, claims)["unknown"]
    text = project.claims_table(other, claims, load_study("price").design(Choices()).plays)
    assert "in this study" not in text
    assert re.search(r"holds in|fails in", table_of(text, "claim")[0][-1])


def word_of(shown):
    """An answer without what it depends on or lacks, and without the mark of a note."""
    return re.sub(r" \((mostly by .*|[\d,]+ more games)\)$| \*$", "", shown)


@pytest.mark.slow
def test_every_claim_has_one_answer_wherever_it_is_shown():
    """On its own page, on that of robustness, and with the number of players that it is shown for."""
    found, answers, shown = project.project_answers(), {}, {}
    for asked, (each, answer) in found.items():
        words = each.claim.words
        answers.setdefault(words, set()).add(each.said(answer))
        shown[asked[0] if asked[2] == 4 else f"{asked[0]}, {asked[2]} players", words] = each.said(answer)
    texts = {}
    for name in {*published_studies()} & {*own_studies()}:
        study = load_study(name)
        texts[name] = study.page(read_register(name), study.design(Choices())).text
    rows = table_of(texts[OWN], "study")
    assert len(rows) == len(found)
    assert {(row[0], row[1]): word_of(row[2]) for row in rows} == shown
    for text in texts.values():
        for head in re.finditer(r"(?m)^\| claim \|.*\| answer \|$", text):
            for claim, *_, answer in table_of(text[head.start() :], "claim"):
                assert word_of(answer) in answers.get(claim, {word_of(answer)}), claim
        for label, word in (("Differs", DEPENDS), ("Not known", UNKNOWN)):  # prose has the same answers
            for said in re.findall(rf"(?m)^- \*\*{label}:\*\* (.*)$", text):
                for words, found_words in answers.items():
                    assert words.rstrip(".") not in said or word in found_words, (label, words)


def test_the_page_of_robustness_uses_the_answers_of_the_project(monkeypatch):
    figures, found = read_register(OWN), project.project_answers()
    assert project.answers_in(figures) is found
    counts = table_of(robustness_page.first(figures, None), "answer")
    for place, players in ((2, 4), (3, 3), (4, 5)):
        assert sum(int(row[place]) for row in counts) == sum(
            asked.players == players and not asked.claim.check for asked in found
        )
    assert sum(int(row[-1]) for row in counts) == sum(asked.claim.check for asked in found) > 10
    monkeypatch.setattr(project, "stamps_of", lambda folder: ((str(folder), 0, 0),))  # a register that changes
    assert project.answers_in(figures) is not found


def test_what_differs_is_not_called_unknown_and_what_is_answered_is_not_named():
    named = 0
    for own in sources():
        figures, claims = read_register(own.name), own.judged.claims
        here = {UNKNOWN: [], DEPENDS: []}
        for each in claims:
            word = project.answer_of(own.name, each.outcome).word
            if not each.check and word in here:
                here[word].append(each.words)
        said = project.left_open(figures, claims)
        expected = {"differs": here[DEPENDS], "unknown": [] if here[DEPENDS] else here[UNKNOWN]}
        for text, words in expected.items():
            assert [each.words for each in claims if each.words.rstrip(".") in said[text]] == words[:1]
            assert bool(said[text]) == bool(words)
            assert len(words) < 3 or str(len(words) - 1) in said[text]
            named += len(words)
    assert named


def test_picture_and_tables_show_a_claim_to_hold_in_as_many_cells_as_its_answer_counts():
    figures, scope = read_register(OWN), estimates.scope_of(Choices())
    found = project.answers_in(figures)
    table = table_of(robustness_page.claim_table(figures, scope, found), "study")
    counted = {(row[0], row[1]): row[3:5] for row in table}
    assert len(counted) == len(found) > 50  # without those that one fix helps all bots
    rows = robustness_page.drawn(found)
    drawn = {(study, words): [side for each in sides.values() for side in each] for study, words, sides in rows}
    assert {place for *_, sides in rows for place in sides} <= {*product(scope.pools, ("lineup", "draft"))}
    assert counted == {
        key: [f"{sides.count(side)} of {len(sides)}" for side in ("holds", "fails")] for key, sides in drawn.items()
    }
    for fields, size in ((("play",), len(scope.pools)), (("setup",), 2), (("tower",), len(scope.towers))):
        for study, words, *cells in table_of(robustness_page.factor_table(figures, scope, found, fields), "study"):
            assert len(cells) == size
            counts = [map(int, cell.split(" / ")) for cell in cells if cell != "–"]
            sums = [sum(each) for each in zip(*counts, strict=True)]
            assert counted[study, words] == [f"{each} of {sum(sums)}" for each in sums[:2]]


def test_a_file_of_additions_reads_back_as_it_was_written(tmp_path):
    path = tmp_path / "additions.csv"
    elsewhere = ONE._replace(cell=Cell("random tables", "rulebook", "draft"), players=3)
    every = (ONE, elsewhere, ONE._replace(stage=3, outcomes=("cost of a border with another seat, VP",)))
    path.write_text(additions_text(every), "utf-8")
    assert additions(path) == every


@pytest.mark.parametrize(
    ("field", "value", "names"),
    [
        ("stage", "1", ["'1'", "2 to 3"]),
        ("players", "6", ["'6'", "3 to 5"]),
        ("parts", "x", ["'x'"]),
        ("parts", "0", ["'0'"]),
    ],
)
def test_an_invalid_line_is_refused_with_its_place(tmp_path, field, value, names):
    path = tmp_path / f"{field}{value}.csv"
    fields = dict(zip(estimates.COLUMNS, ["2", "price", "4", "casual", "mid", "draft", "1", "x"], strict=True))
    path.write_text("\n".join([",".join(estimates.COLUMNS), ",".join({**fields, field: value}.values())]), "utf-8")
    with refused(path, "line 2", field, *names):
        additions(path)


def test_the_study_plays_the_additions_of_its_file_and_they_are_part_of_its_identity():
    full = estimates.scope_of(Choices())
    assert full.additions == additions()
    assert estimates.scope_of(Choices(quick=True)).additions == ()
    for each in full.additions:
        own = source(each.study)
        assert set(each.outcomes) <= {claim.outcome for claim in own.judged.claims}
        assert each.cell in {*own.cells(full.tables, each.players), *own.cells(full.settings)}
    few = full._replace(rows=144, tables=(), settings=())
    other = ONE, ONE._replace(parts=3), ONE._replace(stage=3), ONE._replace(outcomes=("x",))
    planned = [few._replace(additions=each) for each in ((), *((each,) for each in other))]
    assert len({digest_of(load_study(OWN), each) for each in (*planned, planned[1]._replace(rows=288))}) == 6


def test_no_part_has_the_seed_of_another_or_of_a_study():
    seeds = [load_study(name).experiment().seed for name in own_studies()]
    parts = [seed_of(stage, part) for stage in STAGES for part in (0, 1, estimates.OF_STAGE - 1)]
    assert len({*seeds, *parts}) == len({*seeds}) + len(parts)
    assert [each.seed for each in estimates.added_experiments(ONE, 72)] == [seed_of(2, 0), seed_of(2, 1)]


def test_an_addition_is_the_mean_of_its_parts_and_is_played_once(tmp_path):
    own, cache = source("price"), Cache(tmp_path)
    experiments = [Experiment(seed=seed, policies="random", tower="mid", setup="draft") for seed in (1, 2, 3)]
    result = own.kept(experiments, 24, cache, ONE.outcomes)
    assert tuple(result) == ONE.outcomes
    alone = [own.kept([each], 24, Cache(None), ONE.outcomes) for each in experiments]
    for name, each in result.items():
        assert each.value == pytest.approx(np.mean([part[name].value for part in alone]))
        assert each.blocks == 72
        assert each.error == pytest.approx(np.sqrt(np.mean([part[name].error ** 2 for part in alone]) / 3), rel=0.03)
    silent = own._replace(judged=replace(own.judged, outcomes=None))  # cannot be played
    again = silent.kept(experiments, 24, cache, ONE.outcomes)
    assert {name: each.value for name, each in again.items()} == {name: each.value for name, each in result.items()}
    assert all(np.array_equal(each.influence, result[name].influence) for name, each in again.items())
    with pytest.raises(TypeError):
        silent.kept(experiments, 48, cache, ONE.outcomes)
    with refused("whole blocks", by=ValueError):
        own.kept(experiments, 25, cache)


@pytest.mark.parametrize(
    ("name", "players", "setup"), [("tiles", 3, "lineup"), ("price", 4, "draft"), ("lineups", 4, "lineup")]
)
def test_some_outcomes_are_those_of_all(name, players, setup):
    own, experiment = source(name), Experiment(seed=3, policies="random", players=players, setup=setup)
    every = own.outcomes(experiment, 1)
    wanted = list(every)[-1:]
    some = own.outcomes(experiment, 1, wanted)
    assert list(some) == wanted
    assert some[wanted[0]].value == every[wanted[0]].value
    assert np.array_equal(some[wanted[0]].influence, every[wanted[0]].influence)


def test_games_go_to_the_cells_where_a_claim_is_undecided():
    """One cell is known, the other near to the claimed number; a third claim is known, and gets none."""
    claims = {("price", "it", 4): judged(1.0, 0.12), ("price", "that", 4): judged(1.0, 1.0)}
    found = answered(claims)
    assert [found[asked][1].word for asked in claims] == [UNKNOWN, HOLDS]
    [only] = allocation.next_stage(2, 10**9, found)
    assert only == Addition(2, "price", 4, CELLS[1], only.parts, ("it",))
    near = judged(1.0, 0.06), found["price", "it", 4][1]
    nearer = allocation.next_stage(2, 10**9, {**found, ("price", "it", 4): near})
    assert nearer[0].parts > only.parts


def test_claims_that_need_few_games_come_first_and_the_budget_is_kept():
    claims = {("price", "near", 4): judged(1.0, 0.1), ("price", "far", 4): judged(0.2, 1.0)}
    found = answered(claims)
    cost = {each.outcomes: each.parts * estimates.ROWS * 3 for each in allocation.next_stage(2, 10**9, found)}
    assert cost["near",] > cost["far",]
    assert [each.outcomes for each in allocation.next_stage(2, cost["far",], found)] == [("far",)]
    assert allocation.next_stage(2, cost["far",] - 1, found) == []


def test_outcomes_of_a_study_share_the_games_of_a_cell():
    claims = {("price", name, 4): judged(1.0, value) for name, value in (("one", 0.1), ("two", 0.12))}
    found = answered(claims)
    alone = [allocation.next_stage(2, 10**9, {asked: each})[0].parts for asked, each in found.items()]
    [both] = allocation.next_stage(2, 10**9, found)
    assert (both.outcomes, both.parts) == (("one", "two"), max(alone))


def test_later_stages_count_for_an_answer():
    first = judged(1.0, 0.15)
    more = first._replace(later={CELLS[1]: (block_mean(np.random.default_rng(2).normal(0.15, 0.5, 9_000)),)})
    found = answered({("price", "one", 4): first, ("price", "two", 4): more})
    assert [answer.word for _, answer in found.values()] == [UNKNOWN, HOLDS]


def test_what_is_not_known_says_how_many_games_it_would_take():
    unknown = [each for each in project.project_answers().values() if each[1].word == UNKNOWN]
    assert all(0 < each.games_needed(answer) <= float("inf") for each, answer in unknown)


def test_margins_belong_to_findings_and_the_known_effects_are_those_of_the_register():
    """Every line names a finding; where the figures are those it was written by, its effect is their mean effect."""
    findings = {(asked.study, asked.outcome) for asked in project.project_answers() if not asked.claim.check}
    assert {*project.margins()} <= findings
    for asked, (each, answer) in project.project_answers().items():
        assert each.margin == project.margins().get((asked.study, asked.outcome))
        if answer.word == NEVER_WORSE:
            effect = np.mean([kind.value for kind in kinds_of_bots(each.cells()).values()]) - each.claim.above
            assert 0 < 3 * answer.margin <= effect
            assert answer.margin == each.margin


@pytest.mark.parametrize(
    ("effect", "margin"), [("0.5", "0.2"), ("1", "0"), ("1", "-0.1"), ("1", "x"), ("nan", "0.1"), ("1", "")]
)
def test_a_margin_above_a_third_of_its_effect_is_refused_with_its_place(tmp_path, effect, margin):
    path = tmp_path / f"{effect}{margin}.csv"
    path.write_text(f"study,outcome,effect,margin,reason\nprice,it,0.6,0.2,so\nprice,that,{effect},{margin},so\n")
    with refused(path, "line 3: margin", repr(margin), "1/3"):
        project.margins(path)


def test_the_record_of_a_study_names_the_commit_of_its_rules_if_the_file_is_as_committed(tmp_path):
    path = tmp_path / "margins.csv"

    def git(*words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *words], cwd=tmp_path, check=True)

    git("init", "-q")
    path.write_text("one")
    with refused(path, "commit it"):
        committed(path)
    git("add", ".")
    git("commit", "-qm", "x")
    facts = committed(path)
    assert re.fullmatch(r"[0-9a-f]{12}", facts["commit"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", facts["date"])
    figures = read_register(OWN)
    shutil.copytree(data_folder(ROOM), tmp_path / "figures")
    write_register(figures, tmp_path / "figures", "What?", {"rules": facts})
    write_register(figures, tmp_path / "figures", "What?", {"cpu_seconds": 1})  # what is not given stays
    assert read_played(OWN, tmp_path / "figures")["rules"] == facts
    path.write_text("two")
    with refused(path, "commit it"):
        committed(path)


def test_the_largest_of_many_by_luck_is_no_finding_if_other_games_judge_it():
    """Planted nulls through choice, judging and the family: 60 projects of four claims, each the largest of 3,000."""
    rng, wrong = np.random.default_rng(4), {True: 0, False: 0}
    for _ in range(60):
        claims = {True: {}, False: {}}
        for place in range(4):
            screened = rng.normal(0.0, 0.01, 3_000).max()
            fresh = judged(*rng.normal(0.0, 0.1, 2))
            own = {cell: Measurement(screened, 0.01, 1_080) for cell in CELLS}
            claims[True]["price", str(place), 4] = fresh
            claims[False]["price", str(place), 4] = fresh._replace(own=own)
        for chosen, each in claims.items():
            wrong[chosen] += any(answer.word != UNKNOWN for _, answer in answered(each).values())
    assert wrong[True] <= 60 * 0.05 + 4
    assert wrong[False] > 20  # the figures that chose a claim may not judge it
