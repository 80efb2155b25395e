"""No word of the report outlives its figure: with another value, unit or verdict pages change, or are refused."""

import random
import re
import shutil
from dataclasses import replace
from functools import cache
from math import isnan

import pytest

from wallsim.analyses.robustness import answers
from wallsim.analyses.strategy_report import chapters, pages, sentences, texts
from wallsim.analyses.strategy_report.study_page import study_page
from wallsim.analyses.strategy_report.units import check_units
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


def shown(page, key=None):
    """The ids that a page shows alone, in alphabetical order; for one of them the texts that it has."""
    found = [(each, text) for each, text in ELEMENT.findall(page) if key in (None, each)]
    return sorted({each for each, _ in found}) if key is None else {text for _, text in found}


def changed(result, figure):
    """A result with another figure of the same id."""
    rows = [figure if each.id == figure.id else each for each in result.figures.values()]
    return replace(result, figures=Figures(result.figures.study, rows))


def moved(figure):
    """The figure far above its value, with an interval almost twice as wide."""
    value = figure.value + 10 + 3 * abs(figure.value)
    half = 0.9 * (figure.high - figure.low)
    ends = {} if isnan(half) else {"low": value - half, "high": value + half}
    return replace(figure, value=value, **ends)


def mutate_value(draw, studies):
    name = draw.choice(studies)
    result, page = before(name)
    key = draw.choice(shown(page))
    try:
        after = study_page(changed(result, moved(result.figures[key])))
    except (InputError, ValueError):  # the page cannot be made
        return
    assert after != page
    assert not shown(page, key) & shown(after, key), key


def mutate_unit(draw, studies):
    name = draw.choice(studies)
    result, page = before(name)
    key = draw.choice(shown(page))
    after = changed(result, replace(result.figures[key], unit="bushels"))
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
    for module in (answers, chapters, sentences):
        monkeypatch.setattr(module, "project_answers", lambda: found)


def written_claims():
    """The claims that the texts of the report speak of, and in which text."""
    asked = {figure_id(key[0], CLAIM, key[1], players=key[2]): key for key in answers.project_answers()}
    found = {}
    for name, text in texts.read_texts().items():
        for token in sentences.TOKEN.findall(text):
            if token.startswith("claim:"):
                found.setdefault(asked[token.partition("|")[0].removeprefix("claim:")], set()).add(name)
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
    for key in claims:
        old = sentences.written(text, sentences.Known(results))
        for word in (UNKNOWN, DEPENDS, FAILS, SAME):
            with monkeypatch.context() as patch:
                turn(patch, key, word)
                assert refused_or(lambda: sentences.written(text, sentences.Known(results))) != unmarked(old)


@pytest.mark.parametrize(
    ("word", "side"), [(UNKNOWN, "unknown"), (DEPENDS, "depends"), (SAME, "same"), (FAILS, "fails"), (LITTLE, "little")]
)
def test_another_verdict_moves_the_claim_in_the_list(monkeypatch, word, side):
    key = next(key for key, each in answers.project_answers().items() if each.word == HOLDS and key[2] == 4)
    words = answers.published_claims()[key].claim.words
    assert words in map(unmarked, chapters.claims().holds)
    turn(monkeypatch, key, word)
    after = chapters.claims()
    assert [name for name, claims in after._asdict().items() if words in map(unmarked, claims)] == [side]


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


def index_of(found):
    return pages.index(found, pages.county_cards(found["draft"]), pages.lineups(found["lineups"]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_register_whose_claim_turned_is_refused_or_says_otherwise(copied, seed):
    asked = random.Random(seed).choice(sorted(written_claims()))
    name, head = asked[0], figure_id(asked[0], CLAIM, asked[1], players=asked[2])
    found = chapters.results()
    old = index_of(found)
    for study in (name, "robustness"):
        rows = [
            replace(each, value=-each.value, low=-each.high, high=-each.low)
            if re.split("[/@]", each.id)[0] == head or asked[1] in each.quantity else each
            for each in register.read_register(study).values()
        ]  # fmt: skip
        (copied / f"{study}.csv").write_text(register.register_text(Figures(study, rows)), "utf-8")
    said = re.compile(rf'<span[^>]* data-claim="{re.escape(head)}">([^<]*)<')
    assert said.findall(old)
    new = refused_or(lambda: index_of(chapters.results()))
    assert set(said.findall(new)).isdisjoint(said.findall(old))
