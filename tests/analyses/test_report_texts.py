"""Sentences that people write for the report: numbers by id, verdicts by claim, and what the check refuses."""

from functools import cached_property

import pytest

from tests.refusals import assert_names, refused
from wallsim.analyses.strategy_report import texts
from wallsim.analyses.strategy_report.chapters import primary_ids, question_of
from wallsim.analyses.strategy_report.front import NEEDS
from wallsim.analyses.strategy_report.html import with_ids
from wallsim.analyses.strategy_report.texts import VERDICTS, Known, read_texts, report_errors, text_errors, written
from wallsim.analysis.claims.answers import HOLDS, UNKNOWN
from wallsim.report.tables.traced import unmarked

THALER = "price.thaler.4p/casual/spielbyweb@start"
PRICE = "price.claim.4p.one-point-less-the-price-of-a-Thaler"


class Told(Known):
    """Known figures of one study with verdicts that a test gives."""

    verdict = HOLDS

    @cached_property
    def verdicts(self):
        return {PRICE: self.verdict}


@pytest.fixture(scope="module")
def price(found):
    return found["price"]


@pytest.fixture
def known(price):
    return Told({"price": price})


def words(text, known):
    return unmarked(written(text, known))


def test_a_number_is_its_figure_with_half_width_decimals_and_sign(known, price):
    figure = price.figures[THALER]
    value, half = float(figure.value), float(figure.high - figure.low) / 2
    assert words(f"{{{THALER}}} VP", known) == f"{value:.1f} ± < 0.1 VP"
    assert words(f"{{{THALER}|2}}", known) == f"{value:.2f} ± {half:.2f}"
    assert words(f"{{ {THALER} | + 3 value }}", known) == f"{value:+.3f}"
    assert f'data-id="{THALER}"' in with_ids(written(f"{{{THALER}}}", known))
    assert words(f"{{{THALER}|1 null}}", known) == f"{price.figures[THALER].null:.1f}"


def test_words_that_need_a_condition_stand_only_while_it_holds(known, monkeypatch):
    asked = []
    monkeypatch.setitem(NEEDS, "it holds: yes", lambda read: asked.append(read(THALER).id) or True)
    monkeypatch.setitem(NEEDS, "it does not", lambda read: False)
    assert words("So {need:it holds: yes|**it** is} so.", known) == "So **it** is so."
    assert text_errors({"front": "So {need:it\nholds: yes|it is the best}."}, known) == []
    assert asked == [THALER, THALER]
    with refused("1:4: 'it does not'"):
        written("So {need:it does not|it is}.", known)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_verdict_decides_the_words(known, verdict):
    known.verdict = verdict
    token = "|".join(["{claim:" + PRICE, *(f"{each}: {place} it is" for place, each in enumerate(VERDICTS))]) + "}"
    assert words(f"So {token}.", known) == f"So {VERDICTS.index(verdict)} it is."
    assert f'data-claim="{PRICE}"' in with_ids(written(token, known))


def test_a_claim_that_turned_is_refused_with_its_place(known):
    text = f"# Title\n\nA Thaler {{claim:{PRICE}|holds: brings less}}."
    assert words(text, known).endswith("Thaler brings less.")
    turned = Told(known.results)
    turned.verdict = UNKNOWN
    with refused("3:10:", PRICE, "'not known'"):
        written(text, turned)
    assert len(text_errors({"front": text}, turned)) == 1


WRONG = {  # by text the place, and what the error names
    "A wins 41.2 % here.": ("1:8", "'41.2' is a number"),
    "Two lines, and\nit costs two more Thalers.": ("2:10", "'two' is a number"),
    "Wins are\nfairer so.": ("2:1", "'fairer' judges"),
    "A beats B.": ("1:3", "'beats' judges"),
    "{price.thaler.4p/nobody}": ("1:1", "no figure"),
    "{" + THALER + "|bold}": ("1:1", "'bold' is not one of"),
    "{claim:price.claim.4p.nothing|holds: x}": ("1:1", "no claim"),
    "{claim:" + PRICE + "|maybe: x}": ("1:1", "'maybe' is no verdict"),
    "{claim:" + PRICE + "|fails: x}": ("1:1", "verdict is 'holds'"),
    "{need:nothing|it is so}": ("1:1", "'nothing' is no condition"),
    "so {x": ("1:4", "no pair"),
    "# Title\n\n**{price.thaler-by-cell.4p/weak/spielbyweb}** VP": ("3:3", "primary figure"),
}
RIGHT = {  # the name of a text by its words
    "Four players play on two boards.": "front",
    "[See](../studies/e2.md) and `--quick 3`.": "front",
    "{claim:" + PRICE + "|holds: it is always the best|not known: 3 times}": "front",
    "{" + THALER + "}": "front",
    "{price.thaler-by-cell.4p/weak/spielbyweb} VP": "tiles",  # chapters may show other values
}


@pytest.mark.parametrize("text", WRONG)
def test_what_a_text_must_not_have_is_refused_with_its_place(known, text):
    place, what = WRONG[text]
    [error] = text_errors({"front": text}, known)
    assert_names(error, f"docs/report/front.md:{place}: ", what)


@pytest.mark.parametrize("text", RIGHT)
def test_what_a_text_may_have(known, text):
    assert text_errors({RIGHT[text]: text}, known) == []


def test_the_primary_figures_are_those_of_the_two_tables_or_of_no_play_where_none_was_played(price, found):
    figures = price.figures.all_of("thaler-by-cell", players=4)
    assert len({question_of(each.id) for each in figures}) == 1
    for each in (figures, reversed(figures)):
        assert [key.partition("/")[2] for key in primary_ids(each)] == ["casual/spielbyweb", "strong/spielbyweb/draft"]
    assert primary_ids([each for each in figures if each.play not in ("casual", "strong")]) == []
    draft, border = found["draft"].figures, "border-with-another-seat"
    [alone] = primary_ids(draft.headed(f"draft.headline.4p.{border}"))
    assert alone == f"draft.headline.4p.{border}"
    whole = draft.headed(f"draft.neighbour.4p.{border}")
    assert all("/casual/" in key or "/strong/" in key for key in primary_ids(whole))


def test_the_texts_that_ship_are_without_errors_and_a_missing_one_is_found(found, tmp_path):
    every = Known(found)
    assert report_errors(known=every) == []
    tokens = [token for text in read_texts().values() for token in texts.TOKEN.findall(text)]
    assert {token.count("|") for token in tokens if token.startswith("claim:")} == {1}  # words for one verdict alone
    for name, text in read_texts().items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    (tmp_path / "events.md").rename(tmp_path / "event.md")
    missing, stray = report_errors(tmp_path, every)
    assert_names(missing, "docs/report/events.md", "missing")
    assert_names(stray, "docs/report/event.md", "no group")
    with refused("docs/report/events.md", "missing"):
        texts.written_texts(every, read_texts(tmp_path))
