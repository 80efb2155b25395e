"""No word of the report outlives its figure: with another value, unit or verdict pages change, or are refused."""

import random
import re
import shutil
from dataclasses import replace
from functools import cache
from math import isnan

import pytest

from tests.refusals import refused
from wallsim.analyses.robustness import answers
from wallsim.analyses.strategy_report import chapters, pages, texts
from wallsim.analyses.strategy_report.chapters import check_units, study_page
from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, NEVER_WORSE, UNKNOWN
from wallsim.errors import InputError
from wallsim.report.tables.traced import unmarked
from wallsim.rules.files import data_folder
from wallsim.studies import published, register
from wallsim.studies.catalogue import load_study
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figures, figure_id
from wallsim.studies.publishing import as_published

QUICK = ("casual", "price", "tiles")  # studies whose pages are soon made
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


def drawn(seed):
    """The result of a study, its page, and a figure that it shows alone."""
    draw = random.Random(seed)
    result, page = before(draw.choice(QUICK))
    return result, page, result.figures[draw.choice(list(shown(page)))]


@pytest.mark.parametrize("seed", range(8))
def test_another_value_changes_every_place_that_shows_it(seed):
    result, page, figure = drawn(seed)
    # Far above its value, with an interval almost twice as wide.
    value, half = figure.value + 10 + 3 * abs(figure.value), 0.9 * (figure.high - figure.low)
    ends = {} if isnan(half) else {"low": value - half, "high": value + half}
    try:
        after = study_page(changed(result, replace(figure, value=value, **ends)))
    except (InputError, ValueError, KeyError):  # the page cannot be made, as where a value is neither −1, 0 nor 1
        return
    assert after != page
    assert shown(page)[figure.id].isdisjoint(shown(after).get(figure.id, ())), figure.id


@pytest.mark.parametrize("seed", range(3))
def test_another_unit_is_refused_or_shown(seed):
    result, _, figure = drawn(seed)
    after = changed(result, replace(figure, unit="bushels"))
    try:
        check_units(after.figures)
    except InputError:
        return
    units = re.findall(rf'data-id="{re.escape(figure.id)}" data-unit="([^"]*)', study_page(after))
    assert set(units) == {"bushels"}


def test_units_of_the_register_are_one_for_a_question():
    result, _ = before("price")
    several = next(each for each in result.figures.values() if "/" in each.id)
    with refused("data/figures/price.csv", several.id):
        check_units(changed(result, replace(several, unit="bushels")).figures)


def turn(monkeypatch, key, word):
    """Give a claim another verdict."""
    found = dict(answers.project_answers())
    judged, answer = found[key]
    found[key] = judged, replace(answer, word=word)
    for module in (answers, chapters, texts):
        monkeypatch.setattr(module, "project_answers", lambda: found)


def written_claims():
    """The claims that the texts of the report speak of, each with the name of a text."""
    asked = {figure_id(key[0], CLAIM, key[1], players=key[2]): key for key in answers.project_answers()}
    claim = re.compile(r"\{claim:([^|}]*)")
    return {(asked[key], name) for name, text in texts.read_texts().items() for key in claim.findall(text)}


def refused_or(make):
    """The text that something makes; empty if a claim's verdict has no words, or a condition holds no longer."""
    try:
        return unmarked(make())
    except InputError as error:
        if "its verdict is" not in str(error) and "holds no longer" not in str(error):
            raise
        return ""


def test_another_verdict_changes_the_sentence_or_is_refused(monkeypatch):
    results = {name: chapters.traced_result(before(name)[0]) for name in ("price", "tiles")}
    text, claims = texts.read_texts()["tiles"], [key for key, name in written_claims() if name == "tiles"]
    assert claims
    old = unmarked(texts.written(text, texts.Known(results)))
    for key in claims:
        for word in (UNKNOWN, DEPENDS, FAILS):
            with monkeypatch.context() as patch:
                turn(patch, key, word)
                assert refused_or(lambda: texts.written(text, texts.Known(results))) != old


@pytest.mark.parametrize(
    ("word", "begins", "more"),
    [
        (UNKNOWN, "Not known", ""),
        (DEPENDS, "Differs", ""),
        (FAILS, "Fails", ""),
        (NEVER_WORSE, "Never worse", " (never worse by more than 0.2 VP)"),
    ],
)
def test_another_verdict_moves_the_finding_in_the_list_and_a_check_stays_in_its_own(monkeypatch, word, begins, more):
    every = {key: each for key, (_, each) in answers.project_answers().items() if key[2] == 4 and each.word == HOLDS}
    finding = next(key for key, each in every.items() if not key.claim.check and each.margin == 0.2)
    check = next(key for key in every if key.claim.check)
    assert finding.claim.words in map(unmarked, chapters.claims()["Holds"])
    turn(monkeypatch, finding, word)
    [head] = [head for head, claims in chapters.claims().items() if finding.claim.words + more in map(unmarked, claims)]
    assert head.startswith(begins)
    turn(monkeypatch, check, UNKNOWN)
    assert f"{check.claim.words} (not known)" in map(unmarked, chapters.claims()["Restates a rule or arithmetic"])


def test_another_verdict_changes_the_page_of_its_study(monkeypatch):
    key = next(key for key in answers.project_answers() if key[0] == "price")
    result, page = before("price")
    turn(monkeypatch, key, FAILS)
    assert study_page(replace(result, choices=result.choices)) != page


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_register_whose_claim_turned_is_refused_or_says_otherwise(tmp_path, monkeypatch, report, seed):
    known = {key for key, _ in written_claims() if answers.project_answers()[key][1].word != UNKNOWN}
    name, outcome, players = random.Random(seed).choice(sorted(known))
    head = figure_id(name, CLAIM, outcome, players=players)
    shutil.copytree(data_folder(register.ROOM), tmp_path / register.ROOM)
    for module in (answers, published, register):
        monkeypatch.setattr(module, "data_folder", lambda room: tmp_path / room)
    for study in (name, "robustness"):
        rows = [
            replace(each, value=-each.value, low=-each.high, high=-each.low)
            if re.split("[/@]", each.id)[0] == head or outcome in each.quantity else each
            for each in register.read_register(study).values()
        ]  # fmt: skip
        text = register.register_text(Figures(study, rows))
        (tmp_path / register.ROOM / f"{study}.csv").write_text(text, "utf-8")
    said = re.compile(rf'<span[^>]* data-claim="{re.escape(head)}">([^<]*)<')
    old = said.findall(report[pages.CHAPTERS].decode())
    assert old
    assert set(said.findall(refused_or(lambda: pages.chapters(chapters.results())))).isdisjoint(old)
