"""A claim of the project has one answer: by all cells played for it, pooled, wherever it is shown."""

import re
from dataclasses import replace
from importlib import import_module

import pytest

from tests.analyses.studies import table_of
from wallsim.analyses.robustness import answers as project
from wallsim.analyses.robustness import study as robustness_page
from wallsim.analyses.robustness.estimates import scope_of
from wallsim.analyses.robustness.sources import OWN, source, sources
from wallsim.analysis.claims.answers import DEPENDS, HOLDS, LITTLE, UNKNOWN, VARIES, Answer, Factor
from wallsim.analysis.claims.verdicts import Claim
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figures
from wallsim.studies.published import published_studies
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices

published = pytest.mark.skipif(OWN not in published_studies(), reason="the register has no figures of robustness")


@pytest.mark.parametrize(
    ("word", "factors", "words"),
    [
        (HOLDS, (Factor("play", 0.9),), "holds"),
        (UNKNOWN, (Factor("play", 0.9),), "not known"),
        (DEPENDS, (Factor("setup", 0.5), Factor("play", 0.2)), "depends (mostly by set-up, 50 %)"),
        (VARIES, (Factor("tower", 0.25),), "holds, size varies (mostly by tower, 25 %)"),
        (LITTLE, (Factor("play", 0.9),), "holds or too small to matter (mostly by play, 90 %)"),
        (DEPENDS, (Factor("play", 0.05),), "depends"),
        (DEPENDS, (), "depends"),
    ],
)
def test_an_answer_in_words_names_the_factor_it_depends_on(word, factors, words):
    assert project.in_words(Answer(Claim("x", "x", 0), word, {}, (), (), factors, 0.0)) == words


@published
def test_an_outcome_that_was_chosen_by_its_own_study_is_judged_by_other_games_alone(monkeypatch):
    own = source("price")
    chosen, other = own.claims[0].outcome, own.claims[1].outcome
    seeds = {study: load_study(study).experiment().seed for study in (own.name, OWN)}
    assert seeds[own.name] != seeds[OWN]

    def judged(outcomes):
        planted = own._replace(judged=replace(own.judged, chosen=outcomes))
        monkeypatch.setattr(project, "sources", lambda: (planted,))
        return project._published_claims.__wrapped__(())

    without, found = judged(()), judged((chosen,))
    key = own.name, chosen, 4
    assert without[key].own
    assert not found[key].own
    assert found[key].others == without[key].others
    assert {cell.stages[0].seed for cell in found[key].cells().values()} == {seeds[OWN]}
    assert found[own.name, other, 4] == without[own.name, other, 4]
    assert project.answered(found)[key].holds_in  # it is answered still


@published
def test_a_cell_of_two_studies_counts_once_and_more_precisely():
    claims = project.published_claims()
    both = 0
    for each in claims.values():
        cells = each.cells()
        assert set(cells) == {*each.own, *each.others}
        for cell in {*each.own} & {*each.others}:
            errors = [one[cell].error for one in (each.own, each.others) if one[cell].error > 0]
            assert not errors or cells[cell].error <= min(errors)
            both += 1
    assert both
    assert set(project.project_answers()) == set(claims)


@published
def test_figures_of_other_games_are_not_the_published_ones():
    figures = read_register("price")
    claims = source("price").claims
    assert project.is_published(figures)
    other = Figures("price", [replace(figure, digest="0" * 12) for figure in figures.values()])
    assert not project.is_published(other)
    assert not project.is_published(Figures("grain", figures.values()))
    assert "not the published ones" in project.not_known(other, claims)
    scope = load_study("price").design(Choices())
    text = project.claims_table(other, claims, scope.plays)
    assert "in this study and in" not in text
    assert re.search(r"holds in|fails in", table_of(text, "claim")[0][-1])


def word_of(shown):
    """An answer without what it depends on or lacks, and without the mark of a note."""
    return re.sub(r" \((mostly by .*|[\d,]+ more games)\)$| \*$", "", shown)


def claim_rows(text):
    """The (claim, answer) of every table of claims in a text."""
    for head in re.finditer(r"(?m)^\| claim \|.*\| answer \|$", text):
        for row in table_of(text[head.start() :], "claim"):
            yield row[0], row[-1]


def published_texts():
    """The texts of all published studies by name; a study whose register is older than its page is left out."""
    texts = {}
    for name in published_studies():
        if name in own_studies():
            study = load_study(name)
            try:
                texts[name] = study.page(read_register(name), study.design(Choices())).text(study)
            except (KeyError, ValueError, AttributeError):  # page_errors of the register says so
                continue
    return texts


@published
@pytest.mark.slow
def test_every_claim_has_one_answer_wherever_it_is_shown():
    """On its own page, on that of robustness, and with the number of players that it is shown for."""
    found = project.project_answers()
    words = {asked: claims.claim.words for asked, claims in project.published_claims().items()}
    answers = {}
    for asked, answer in found.items():
        answers.setdefault(words[asked], set()).add(answer.word)
    texts = published_texts()
    assert OWN in texts
    rows = table_of(texts[OWN], "study")
    assert len(rows) == len(found)
    names = {asked: f"{asked[0]}, {asked[2]} players" if asked[2] != 4 else asked[0] for asked in found}
    shown = {(names[asked], words[asked]): answer.word for asked, answer in found.items()}
    assert {(row[0], row[1]): word_of(row[2]) for row in rows} == shown
    for text in texts.values():
        for claim, answer in claim_rows(text):
            if claim in answers:
                assert word_of(answer) in answers[claim], claim


@published
def test_the_page_of_robustness_uses_the_answers_of_the_project():
    figures = read_register(OWN)
    scope = scope_of(Choices())
    assert project.claims_in(figures) is project.published_claims()
    assert project.answers_in(figures) is project.project_answers()
    page = robustness_page.page(figures, scope)
    counts = table_of(page.table, "answer")
    found = project.project_answers()
    for place, players in ((2, 4), (3, 3), (4, 5)):
        assert sum(int(row[place]) for row in counts) == sum(asked[2] == players for asked in found)


@published
def test_what_differs_is_not_called_unknown_and_what_is_answered_is_not_named():
    named = 0
    for own in sources():
        figures = read_register(own.name)
        answers = {claim.words: project.answer_of(own.name, claim.outcome).word for claim in own.claims}
        for text, word in ((project.not_known, UNKNOWN), (project.differing, DEPENDS)):
            here = [words.rstrip(".") for words, answer in answers.items() if answer == word]
            assert [words for words in answers if words.rstrip(".") in text(figures, own.claims)] == [
                f"{words}." for words in here[:1]
            ]
            assert bool(text(figures, own.claims)) == bool(here)
            named += len(here)
    assert named


@published
def test_picture_and_tables_show_a_claim_to_hold_in_as_many_cells_as_its_answer_counts():
    figures, scope = read_register(OWN), scope_of(Choices())
    claims, found = project.published_claims(), project.project_answers()
    counted = {
        tuple(row[:2]): [row[3], row[4]]
        for row in table_of(robustness_page.claim_table(figures, scope, claims, found), "study")
    }
    assert len(counted) == len(found) > 60
    rows, pools, setups = robustness_page.drawn(claims, found), scope.pools, ("line-ups", "draft")
    drawn = {(row.study, row.words): [side for sides in row.sides.values() for side in sides] for row in rows}
    assert {place for row in rows for place in row.sides} <= {(pool, setup) for pool in pools for setup in setups}
    assert counted == {
        key: [f"{sides.count(side)} of {len(sides)}" for side in ("holds", "fails")] for key, sides in drawn.items()
    }
    for fields, size in ((("play",), len(pools)), (("setup",), 3), (("tower",), len(scope.towers))):
        table = table_of(robustness_page.factor_table(figures, scope, claims, found, fields), "study")
        assert {len(row) for row in table} == {2 + size}
        for study, words, *cells in table:
            sums = [
                sum(map(int, each)) for each in zip(*(cell.split(" / ") for cell in cells if cell != "–"), strict=True)
            ]
            assert counted[study, words] == [f"{each} of {sum(sums)}" for each in sums[:2]]


def test_no_two_claims_of_the_project_have_the_same_words():
    claimed = {}
    for name in own_studies():
        for path in load_study(name).folder.glob("*.py"):
            module = import_module(f"wallsim.analyses.{name}.{path.stem}")
            for claim in getattr(module, "CLAIMS", ()):
                if isinstance(claim, Claim):
                    claimed.setdefault(claim.words, set()).add((name, claim.outcome))
        for judged in load_study(name).judged:
            for claim in judged.claims:
                claimed.setdefault(claim.words, set()).add((name, claim.outcome))
    assert claimed
    assert {words: where for words, where in claimed.items() if len(where) > 1} == {}


@published
def test_a_register_that_changes_is_read_again(monkeypatch):
    before = project.published_claims()
    assert project.published_claims() is before
    monkeypatch.setattr(project, "stamps_of", lambda folder: ((str(folder), 0, 0),))
    assert project.published_claims() is not before
