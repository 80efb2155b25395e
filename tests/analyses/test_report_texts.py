"""Sentences that people write for the report: numbers by id, verdicts by claim, and what the check refuses."""

from functools import cached_property

import pytest

from wallsim.analyses.strategy_report import texts
from wallsim.analyses.strategy_report.chapters import primary_ids, question_of
from wallsim.analyses.strategy_report.front import NEEDS
from wallsim.analyses.strategy_report.html import with_ids
from wallsim.analyses.strategy_report.texts import VERDICTS, Known, read_texts, report_errors, text_errors, written
from wallsim.analysis.claims.answers import HOLDS, UNKNOWN, VARIES
from wallsim.errors import InputError
from wallsim.report.tables.traced import unmarked
from wallsim.studies.claims import CLAIM

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
    assert words("So {need:it holds: yes|**it** is the best}.", known) == "So **it** is the best."
    assert text_errors({"front": "So {need:it\nholds: yes|it is the best}."}, known) == []
    assert asked == [THALER, THALER]
    with pytest.raises(InputError, match=r"^1:4: 'it does not' holds no longer; write the sentence anew"):
        written("So {need:it does not|it is}.", known)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_verdict_decides_the_words(known, verdict):
    known.verdict = verdict
    token = "|".join(["{claim:" + PRICE, *(f"{each}: {place} it is" for place, each in enumerate(VERDICTS))]) + "}"
    assert words(f"So {token}.", known) == f"So {VERDICTS.index(verdict)} it is."
    assert f'data-claim="{PRICE}"' in with_ids(written(token, known))


def test_what_varies_in_size_holds_too_and_a_claim_that_turned_is_refused_with_its_place(known):
    known.verdict = VARIES
    text = f"# Title\n\nA Thaler {{claim:{PRICE}|holds: brings less}}."
    assert words(text, known).endswith("A Thaler brings less.")
    turned = Told(known.results)
    turned.verdict = UNKNOWN
    with pytest.raises(InputError, match=f"^3:10: {PRICE}: its verdict is 'not known', for which there are no words"):
        written(text, turned)
    assert len(text_errors({"front": text}, turned)) == 1


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("A wins 41.2 % here.", "1:8", "'41.2' is a number of its own"),
        ("Two lines, and\nit costs two more Thalers.", "2:10", "'two' is a number of its own"),
        ("A is the best.", "1:10", "'best' judges"),
        ("It never pays.", "1:4", "'never' judges"),
        ("Wins are\nfairer so.", "2:1", "'fairer' judges"),
        ("A beats B.", "1:3", "'beats' judges"),
        ("{price.thaler.4p/nobody}", "1:1", "is no figure of the register"),
        ("{" + THALER + "|bold}", "1:1", "'bold' is not one of"),
        ("{claim:price.claim.4p.nothing|holds: x}", "1:1", "is no claim"),
        ("{claim:" + PRICE + "|maybe: x}", "1:1", "'maybe' is no verdict"),
        ("{claim:" + PRICE + "|fails: x}", "1:1", "its verdict is 'holds'"),
        ("{need:nothing|it is so}", "1:1", "'nothing' is no condition"),
        ("so {x", "1:4", "belongs to no pair"),
        ("# Title\n\n**{price.thaler-by-cell.4p/weak/mid}** VP", "3:3", "is not the primary figure"),
    ],
)
def test_what_a_text_must_not_have_is_refused_with_its_place(known, text, place, what):
    [error] = text_errors({"front": text}, known)
    assert error.startswith(f"docs/report/front.md:{place}: ")
    assert what in error


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("front", "Four players play on two boards."),
        ("front", "[See](../studies/e2.md) and `--quick 3`."),
        ("front", "{claim:" + PRICE + "|holds: it is always the best|not known: 3 times}"),
        ("front", "{" + THALER + "}"),
        ("tiles", "{price.thaler-by-cell.4p/weak/mid} VP"),  # chapters may show other values
    ],
)
def test_what_a_text_may_have(known, name, text):
    assert text_errors({name: text}, known) == []


def test_the_primary_figures_are_those_of_the_two_tables_or_of_no_play_where_none_was_played(price, found):
    figures = price.figures.all_of("thaler-by-cell", players=4)
    assert len({question_of(each.id) for each in figures}) == 1
    for each in (figures, reversed(figures)):
        assert primary_ids(each) == [
            "price.thaler-by-cell.4p/casual/spielbyweb", "price.thaler-by-cell.4p/strong/spielbyweb/draft",
        ]  # fmt: skip
    assert primary_ids([each for each in figures if each.play not in ("casual", "strong")]) == []
    draft = found["draft"].figures
    alone = "draft.headline.4p.border-with-another-seat"
    assert primary_ids(draft.headed(alone)) == [alone]
    whole = draft.headed("draft.neighbour.4p.border-with-another-seat")
    assert all("/casual/" in key or "/strong/" in key for key in primary_ids(whole))


def test_the_texts_that_ship_are_without_errors_and_a_missing_one_is_found(found, tmp_path):
    every = Known(found)
    assert report_errors(known=every) == []
    for name, text in read_texts().items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    (tmp_path / "events.md").rename(tmp_path / "event.md")
    assert report_errors(tmp_path, every) == [
        "docs/report/events.md: is missing", "docs/report/event.md: is the text of no group",
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"docs/report/events\.md: is missing"):
        texts.written_texts(every, read_texts(tmp_path))


def test_every_claim_of_the_texts_has_words_for_the_verdict_that_they_need_alone():
    for name, text in read_texts().items():
        for token in texts.TOKEN.findall(text):
            if token.startswith("claim:"):
                assert CLAIM in token
                assert token.count("|") == 1, (name, token)
