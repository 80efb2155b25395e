"""The study `openings`: its figures against the files of a run, its ids, and its words where figures say otherwise."""

import re
from dataclasses import replace

import polars as pl
import pytest

from tests.analyses.numbers_of_pages import text_of, tree_of
from tests.analyses.studies import figures_in
from tests.analyses.test_finding_words import finding_with
from wallsim.analyses.openings import study
from wallsim.analyses.openings.study import SIZES, TABLES
from wallsim.analyses.strategy_report import pages
from wallsim.analysis.openings.choices import BOXES, LEAST, MOST_FREQUENT, openings_of
from wallsim.analysis.openings.forced import forced_gains
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.tables.estimates import in_words
from wallsim.stats.blocks import block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.figure import quantity_of, slug
from wallsim.studies.register import read_register
from wallsim.studies.study import Storage

GAMES = 150
PLAYED = Experiment(policies="amateur", games=GAMES, seed=6, plans=True)
CASUAL = TABLES[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run of casual players; do not change it."""
    return play_run(PLAYED, tmp_path_factory.mktemp("openings") / "run")


@pytest.fixture(scope="module")
def figures(run):
    """The figures of this run at the casual table."""
    values = study.laid_of(run, 4, CASUAL)
    for opening in openings_of(run):
        values |= study.opening_of(opening, 4, CASUAL)
    return figures_in("openings", values)


def first_plans(run):
    """The first plans, from the files alone."""
    plans = pl.read_parquet(f"{run.folder}/plans/*.parquet")
    return plans.filter(pl.col("year") == 1, pl.col("season") == "spring")


def test_what_lies_on_the_boxes_is_a_group_by(run, figures):
    def value(quantity, item=""):
        return figures.of(quantity, item, players=4, cell=CASUAL, moment="spring 1").value

    plans = first_plans(run)
    for box in BOXES[:-1]:
        assert value("laid", box) == pytest.approx(100 * plans[f"{box}_outcome"].is_not_null().mean())
    bids = plans["auction_card"].cast(pl.String).is_in([f"money_{amount}" for amount in range(1, 5)])
    assert value("laid", "bid") == pytest.approx(100 * bids.mean())
    built = sum(plans[f"{box}_outcome"].is_not_null().sum() for box in ("palace", "church", "trading_post"))
    assert value("buildings") == pytest.approx(built / len(plans))


def test_the_frequent_cards_of_a_line_up_are_those_of_the_files(run, figures):
    taxes = first_plans(run).filter(pl.col("lineup") == "B", pl.col("taxes_outcome").is_not_null())
    counted = taxes["taxes_card"].cast(pl.String).value_counts(name="n").filter(pl.col("n") >= LEAST)
    expected = dict(counted.sort("n", descending=True).head(MOST_FREQUENT).iter_rows())
    boxes = {}
    for card in study.cards_at(figures, 4, CASUAL):
        boxes.setdefault((card.lineup, card.box), []).append(card)
    shown = {card.name: card.figures["share"].value for card in boxes["B", "taxes"]}
    assert {name: round(GAMES * share / 100) for name, share in shown.items() if name in expected} == expected
    assert {lineup for lineup, _ in boxes} == set("ABCD")
    for cards in boxes.values():
        assert sum(card.figures["share"].value for card in cards) == pytest.approx(100)
        assert len(cards) <= MOST_FREQUENT + 1
        assert all(card.cells()[2:] == ["–"] * 5 for card in cards if card.cells()[0] == "other cards")


def test_every_published_id_says_its_card():
    register = read_register("openings")
    cards = [card for players in SIZES for table in TABLES for card in study.cards_at(register, players, table)]
    of_cards = {"share", "vp", "wins", "then", "forced-vp", "forced-wins"}
    assert sum(len(card.figures) for card in cards) == sum(key.split(".")[1] in of_cards for key in register)
    assert all(study.slug(f"{card.lineup} {card.box} {card.name}") == card.item for card in cards)


def test_the_gains_of_a_laid_card_are_stored_and_few_are_not_published(run, tmp_path, monkeypatch):
    """Cards are laid where some plan has another, and what they change is that of the games played again."""
    [opening, *_], storage = openings_of(run), Storage(tmp_path, Cache(tmp_path, "openings"))
    alone = [replace(box, choices=box.choices[: 1 if box.box == "deploy1" else None]) for box in opening.boxes]
    openings = (replace(opening, boxes=tuple(alone)),)
    monkeypatch.setattr(study, "FORCED_BOXES", ("taxes", "deploy1"))
    monkeypatch.setattr(study, "LEAST", 24)
    first = dict(study.forced_of(PLAYED, CASUAL, openings, 30, storage))
    base, values = PLAYED.arena().play(0, 30, plans=True), set()
    taxes = next(box for box in opening.boxes if box.box == "taxes")
    assert {key.item for key in first} == {f"A taxes {choice.card}" for choice in taxes.frequent} != set()
    for key, value in first.items():
        gains = forced_gains(PLAYED, base, 0, "taxes", key.item.removeprefix("A taxes "))
        assert len(gains.vp) + gains.same + gains.not_laid == 30
        assert (value is None) == (len(gains.vp) < 24)
        if value is not None:
            each = gains.vp if key.quantity == "forced-vp" else 100 * gains.wins
            assert value.value == block_mean(each).value
        values.add(value is None)
    assert values == {True, False}
    monkeypatch.setattr(study, "forced_gains", None)  # nothing is played again
    again = dict(study.forced_of(PLAYED, CASUAL, openings, 30, storage))
    assert [each and each.value for each in again.values()] == [each and each.value for each in first.values()]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((2.0, 0.1, 1.0), "plan fewer buildings"),
        ((1.0, 2.0, 2.5), "plan more buildings"),
        ((1.0, 0.1, 2.5), "0.1 buildings, .* 2.5, .* 1.0"),
        ((1.0, 1.0, 2.5), "differs between master"),
    ],
)
def test_the_title_says_only_what_both_lines_say(values, words):
    planned = {
        f"openings.buildings.4p/{slug(table.play)}/{table.tower}@spring-1": (value - 0.01, value + 0.01)
        for table, value in zip(TABLES, values, strict=True)
    }
    assert re.search(words, finding_with("openings", lambda row: planned.get(row.id)).title)


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_frequent_cards_that_bring_or_cost_points_are_counted(value):
    forced = {row.id for row in read_register("openings").values() if row.id.startswith("openings.forced-vp.")}
    said = finding_with("openings", lambda row: (value - 0.1, value + 0.1) if row.id in forced else None)
    every = sum("/casual/" in key for key in forced)
    gain, lose = (every, 0) if value > 0 else (0, every)
    assert re.search(f"\\b{gain} of {every} .* gain points, {lose} lose", said.casual)


@pytest.fixture(scope="module")
def opened(report):
    """The report's page of openings, as a tree."""
    return tree_of(report[pages.OPENINGS].decode())


SHOWN = {  # by head: the quantity, decimals and sign
    "share, %": ("share", 1, ""), "VP": ("vp", 2, "+"), "wins": ("wins", 1, "+"), "laid: VP": ("forced-vp", 2, "+"),
    "laid: wins": ("forced-wins", 1, "+"),
}  # fmt: skip


def test_the_page_of_openings_shows_every_figure_that_its_tables_and_rows_name(opened):
    known, shown = read_register("openings"), []
    tables = opened.findall(".//table[@data-of]")
    assert len(tables) == sum(SIZES) * len(TABLES)
    for table in tables:
        heads = [text_of(head) for head in table.findall("thead/tr/th")][1:]
        of, place = table.get("data-of"), table.get("data-in")
        for row in table.findall("tbody/tr"):
            cells = dict(zip(heads, (text_of(cell) for cell in row.findall("td")), strict=True))
            for head, (quantity, decimals, sign) in SHOWN.items():
                figure = known.get(f"openings.{quantity}.{of}-{row.get('data-item')}/{place}@spring-1")
                top = 100.0 if quantity == "share" else None
                words = "–" if figure is None else in_words(figure.value, figure.ends, decimals, sign, top=top)
                assert cells.get(head, "–") == words
                shown += [quantity] if figure is not None else []
    assert len(shown) == sum(quantity_of(key) in shown for key in known)
    assert {*shown} == {quantity for quantity, *_ in SHOWN.values()}
    assert tables[0].get("data-of") == "4p.A"


def test_the_page_of_openings_begins_with_a_picture_of_what_each_kind_of_bot_plans_first(opened):
    known, first = read_register("openings"), opened.find(".//main")[0]
    picture = first.find(".//svg")
    numbers = {each.get("data-id"): text_of(each) for each in picture.iter("tspan")}
    assert numbers == {key: f"{figure.value:.0f}" for key, figure in known.items() if ".laid.4p." in key}
    bars, notes = [float(each.get("width")) for each in picture.iter("rect")], map(text_of, picture.iter("title"))
    values = [known[note.rpartition(" · ")[2]].value for note in notes]
    assert [bar / max(bars) for bar in bars] == pytest.approx([value / 100 for value in values], abs=0.002)
    assert first.find(".//details") is None
