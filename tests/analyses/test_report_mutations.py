"""No word of the report outlives its figure: with another value, unit or verdict pages change, or are refused."""

import random
import re
import shutil
from dataclasses import replace
from functools import cache
from math import isnan

import pytest

from wallsim.analyses.robustness import answers
from wallsim.analyses.strategy_report import chapters, pages, texts
from wallsim.analyses.strategy_report.chapters import check_units, study_page
from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, LITTLE, SAME, UNKNOWN
from wallsim.errors import InputError
from wallsim.report.tables.traced import unmarked
from wallsim.rules.files import data_folder
from wallsim.studies import published, register
from wallsim.studies.catalogue import load_study
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figures, figure_id
from wallsim.studies.publishing import as_published

QUICK = ("casual", "price", "tiles")  # studies whose pages are soon made
EVERY = tuple(name for group in chapters.GROUPS.values() for name in group)
ELEMENT = re.compile(r'<(?:data|tspan)\b[^>]*? data-id="([^" ]+)"[^>]*>([^<]*)<')


@cache
def before(name):
    """A study's published result and its page."""
    result = as_published(load_study(name))
    return result, study_page(result)


def shown(page):
    """The ids that a page shows alone, in alphabetical order, and the texts that each has."""
    found = {}
    for key, text in sorted(ELEMENT.findall(page)):
        found.setdefault(key, set()).add(text)
    return found


def changed(result, figure):
    """A result with another figure of the same id."""
    rows = [figure if each.id == figure.id else each for each in result.figures.values()]
    return replace(result, figures=Figures(result.figures.study, rows))


def drawn(draw, studies):
    """The result of a study, its page, and a figure that it shows alone."""
    result, page = before(draw.choice(studies))
    return result, page, result.figures[draw.choice(list(shown(page)))]


def mutate_value(draw, studies):
    result, page, figure = drawn(draw, studies)
    # Far above its value, with an interval almost twice as wide.
    value, half = figure.value + 10 + 3 * abs(figure.value), 0.9 * (figure.high - figure.low)
    ends = {} if isnan(half) else {"low": value - half, "high": value + half}
    try:
        after = study_page(changed(result, replace(figure, value=value, **ends)))
    except (InputError, ValueError):  # the page cannot be made
        return
    assert after != page
    assert shown(page)[figure.id].isdisjoint(shown(after).get(figure.id, ())), figure.id


def mutate_unit(draw, studies):
    result, _, figure = drawn(draw, studies)
    key, after = figure.id, changed(result, replace(figure, unit="bushels"))
    try:
        check_units(after.figures)
    except InputError:
        return
    text = study_page(after)
    assert f'data-id="{key}" data-unit="bushels"' in text
    assert not re.search(rf'data-id="{re.escape(key)}" data-unit="(?!bushels)', text)


@pytest.mark.parametrize("seed", range(8))
def test_another_value_changes_every_place_that_shows_it(seed):
    mutate_value(random.Random(seed), QUICK)


@pytest.mark.parametrize("seed", range(3))
def test_another_unit_is_refused_or_shown(seed):
    mutate_unit(random.Random(seed), QUICK)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(140))
def test_another_value_changes_every_place_of_any_study(seed):
    mutate_value(random.Random(1_000 + seed), EVERY)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_another_unit_of_any_study_is_refused_or_shown(seed):
    mutate_unit(random.Random(2_000 + seed), EVERY)


def test_units_of_the_register_are_one_for_a_question():
    result, _ = before("price")
    several = next(each for each in result.figures.values() if "/" in each.id)
    with pytest.raises(InputError, match=rf"data/figures/price\.csv: .*{re.escape(several.id)}"):
        check_units(changed(result, replace(several, unit="bushels")).figures)


def turn(monkeypatch, key, word):
    """Give a claim another verdict."""
    found = dict(answers.project_answers())
    found[key] = replace(found[key], word=word)
    for module in (answers, chapters, texts):
        monkeypatch.setattr(module, "project_answers", lambda: found)


def written_claims():
    """The claims that the texts of the report speak of, and in which text."""
    asked = {figure_id(key[0], CLAIM, key[1], players=key[2]): key for key in answers.project_answers()}
    found = {}
    for name, text in texts.read_texts().items():
        for claim in re.findall(r"\{claim:([^|}]*)", text):
            found.setdefault(asked[claim], set()).add(name)
    return found


def refused_or(make):
    """The text that something makes; empty if a claim's verdict has no words."""
    try:
        return unmarked(make())
    except InputError as error:
        if "its verdict is" not in str(error):
            raise
        return ""


def test_another_verdict_changes_the_sentence_or_is_refused(monkeypatch):
    results = {name: chapters.traced_result(before(name)[0]) for name in ("price", "tiles")}
    claims = {key: names for key, names in written_claims().items() if "tiles" in names}
    assert claims
    text = texts.read_texts()["tiles"]
    old = unmarked(texts.written(text, texts.Known(results)))
    for key in claims:
        for word in (UNKNOWN, DEPENDS, FAILS, SAME):
            with monkeypatch.context() as patch:
                turn(patch, key, word)
                assert refused_or(lambda: texts.written(text, texts.Known(results))) != old


@pytest.mark.parametrize(
    ("word", "begins"),
    [(UNKNOWN, "Not known"), (DEPENDS, "Depends"), (SAME, "No diff"), (FAILS, "Fails"), (LITTLE, "Holds or too small")],
)
def test_another_verdict_moves_the_claim_in_the_list(monkeypatch, word, begins):
    key = next(key for key, each in answers.project_answers().items() if each.word == HOLDS and key[2] == 4)
    words = answers.published_claims()[key].claim.words
    assert words in map(unmarked, chapters.claims()["Holds"])
    turn(monkeypatch, key, word)
    [head] = [head for head, claims in chapters.claims().items() if words in map(unmarked, claims)]
    assert head.startswith(begins)


def test_another_verdict_changes_the_page_of_its_study(monkeypatch):
    key = next(key for key in answers.project_answers() if key[0] == "price")
    result, page = before("price")
    turn(monkeypatch, key, FAILS)
    assert study_page(replace(result, choices=result.choices)) != page


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the register in place of the shipped one."""
    shutil.copytree(data_folder(register.ROOM), tmp_path / register.ROOM)
    for module in (answers, published, register):
        monkeypatch.setattr(module, "data_folder", lambda room: tmp_path / room)
    return tmp_path / register.ROOM


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_register_whose_claim_turned_is_refused_or_says_otherwise(copied, seed):
    asked = random.Random(seed).choice(sorted(written_claims()))
    name, head = asked[0], figure_id(asked[0], CLAIM, asked[1], players=asked[2])
    found = chapters.results()
    old = pages.index(found)
    for study in (name, "robustness"):
        rows = [
            replace(each, value=-each.value, low=-each.high, high=-each.low)
            if re.split("[/@]", each.id)[0] == head or asked[1] in each.quantity else each
            for each in register.read_register(study).values()
        ]  # fmt: skip
        (copied / f"{study}.csv").write_text(register.register_text(Figures(study, rows)), "utf-8")
    said = re.compile(rf'<span[^>]* data-claim="{re.escape(head)}">([^<]*)<')
    assert said.findall(old)
    new = refused_or(lambda: pages.index(chapters.results()))
    assert set(said.findall(new)).isdisjoint(said.findall(old))
