"""The study `openings`: its figures against the files of a run, its ids, and its words where figures say otherwise."""

from dataclasses import replace

import polars as pl
import pytest

from tests.analyses.studies import table_of
from tests.analyses.test_finding_words import between
from wallsim.analyses.openings import estimates, finding
from wallsim.analyses.openings.cards import Place, place_of
from wallsim.analyses.openings.estimates import SIZES, TABLES, Result, design, experiment_of, games_of
from wallsim.analyses.openings.figures import FORCED_VP, SHARE, THEN, add_figures
from wallsim.analyses.openings.finding import laid_table
from wallsim.analyses.openings.page import page
from wallsim.analyses.openings.tables import OTHERS, plans_at, plans_table
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT, openings_of
from wallsim.analysis.openings.forced import forced_gains
from wallsim.analysis.openings.plans import BOXES
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices, Storage

GAMES = 150
PLAYED = Experiment(policies="amateur", games=GAMES, seed=6, plans=True)
LOOK = Choices(games=GAMES, quick=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run of casual players; do not change it."""
    return play_run(PLAYED, tmp_path_factory.mktemp("openings") / "run")


@pytest.fixture(scope="module")
def openings(run):
    """The openings of the run."""
    return openings_of(run)


@pytest.fixture(scope="module")
def figures(run, openings):
    """The figures of a study in which this run is played at every table, with one card laid."""
    laid = estimates.laid_of(run)
    base = PLAYED.arena().play(0, GAMES, plans=True)
    card = next(box for box in openings[0].boxes if box.box == "grain").choices[0].card
    gains = {("A", "grain", card): forced_gains(PLAYED, base, 0, "grain", card)}
    tables = [(4, table) for table in TABLES]
    result = Result(
        design(LOOK), dict.fromkeys(tables, laid), dict.fromkeys(tables, openings), dict.fromkeys(TABLES, gains)
    )
    rows = Rows("openings", 1, "0" * 12)
    add_figures(result, rows)
    return rows.done()


def first_plans(run):
    """The first plans, from the files alone."""
    plans = pl.read_parquet(f"{run.folder}/plans/*.parquet")
    return plans.filter(pl.col("year") == 1, pl.col("season") == "spring")


def test_what_lies_on_the_boxes_is_a_group_by(run, figures):
    def value(quantity, item=""):
        return figures.of(quantity, item, players=4, cell=TABLES[0], moment="spring 1").value

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
    [plans] = [each for each in plans_at(figures, 4, TABLES[0]) if each.letter == "B"]
    shown = {card.place.card: card.share.value for card in plans.boxes["taxes"]}
    assert {name: round(GAMES * share / 100) for name, share in shown.items() if name in expected} == expected
    for cards in plans.boxes.values():
        assert sum(card.share.value for card in cards) == pytest.approx(100)
        assert len(cards) <= MOST_FREQUENT + 1
        assert all(card.vp is None for card in cards if card.words == OTHERS)


def test_every_id_says_its_place(figures):
    keys = [key for key in figures if key.split(".")[1] in (SHARE, THEN, FORCED_VP)]
    assert keys
    for key in keys:
        place = place_of(key)
        assert bool(place.then) == (f".{THEN}." in key)
        assert figures[key] == figures.of(
            key.split(".")[1], place.item(), players=4, cell=figures[key].cell, moment=figures[key].moment
        )
    assert place_of("openings.then.5p.E-combat_a-Fm-Bayern-×-Hessen-Kassel/strong/mid@summer-1") == Place(
        "E", "combat_a", "Fm. Bayern", "Hessen-Kassel"
    )
    with pytest.raises(ValueError, match="has no line-up, box and card"):
        place_of("openings.share.4p.A-palace-Nowhere/strong/mid")


def test_the_page_has_every_line_up_and_no_change_that_was_not_played(figures):
    text = plans_table(plans_at(figures, 4, TABLES[0]), "casual")
    rows = table_of(text, "casual")
    assert {row[0] for row in rows} == set("ABCD")
    laid = [row for row in rows if row[6] != "–"]
    assert [row[:2] for row in laid] == [["A", "grain"]]
    assert len(table_of(laid_table(figures, 4), "first plans that use it, 4 players, %")) == len(BOXES)
    assert page(figures, design(LOOK)).finding is not None


def test_cards_are_laid_only_where_some_plan_has_another(openings):
    boxes = [box for opening in openings for box in opening.boxes]
    for box in boxes:
        cards = estimates.to_force(box)
        wanted = box.box in estimates.FORCED_BOXES and len(box.choices) > 1
        assert cards == ([choice.card for choice in box.frequent] if wanted else [])
    assert any(estimates.to_force(box) for box in boxes)


def test_games_with_a_laid_card_are_stored(openings, tmp_path, monkeypatch):
    storage = Storage(tmp_path, Cache(tmp_path, "openings"))
    monkeypatch.setattr(estimates, "FORCED_BOXES", ("grain",))
    first = dict(estimates.forced_of(PLAYED, openings[:1], 30, storage))
    monkeypatch.setattr(estimates, "forced_gains", None)  # nothing is played again
    again = dict(estimates.forced_of(PLAYED, openings[:1], 30, storage))
    assert list(first) == list(again)
    for place, gains in first.items():
        assert gains.vp.tolist() == again[place].vp.tolist()
        assert len(gains.vp) + gains.same + gains.not_laid == 30


def test_the_published_study_has_a_hundred_thousand_plans_at_each_table_and_few_figures():
    published = design(Choices())
    for players in SIZES:
        assert 100_000 <= players * games_of(published, players) < 100_000 + players
        for table in TABLES:
            assert experiment_of(published, players, table).setup == "lineup"
    read = read_register("openings")
    assert 1_000 < len(read) < 5_000
    shares = [row for row in read.values() if row.id.startswith("openings.share.")]
    assert {(row.players, row.play) for row in shares} == {(n, table.play) for n in SIZES for table in TABLES}


@pytest.mark.parametrize(
    ("casual", "first", "second", "words"),
    [
        (2.0, 0.1, 1.0, "strong players plan fewer buildings than casual players"),
        (1.0, 2.0, 2.5, "strong players plan more buildings than casual players"),
        (1.0, 0.1, 2.5, "open in two ways: 0.1 or 2.5 buildings in a first plan, casual players 1.0"),
        (1.0, 1.0, 2.5, "depends on the line of play"),
    ],
)
def test_the_title_says_only_what_both_lines_say(casual, first, second, words):
    published = read_register("openings")
    built = [
        replace(finding.built(published, table), **between(value - 0.01, value + 0.01))
        for table, value in zip(TABLES, (casual, first, second), strict=True)
    ]
    assert words in finding.title_of(*built)


@pytest.mark.parametrize(("value", "words"), [(1.0, "{n} of {n} {cards} bring points, 0 cost some"),
                                              (-1.0, "0 of {n} {cards} bring points, {n} cost some")])  # fmt: skip
def test_frequent_cards_that_bring_or_cost_points_are_counted(value, words):
    rows = [
        replace(row, **between(value - 0.1, value + 0.1)) if row.id.startswith("openings.forced-vp.") else row
        for row in read_register("openings").values()
    ]
    count = sum(row.id.startswith("openings.forced-vp.") and row.play == "casual" for row in rows)
    assert words.format(n=count, cards="frequent cards") in finding.forced_words(Figures("openings", rows), TABLES[0])


def test_the_study_plays_what_its_experiment_says():
    experiment = load_study("openings").experiment()
    assert (experiment.players, experiment.setup, experiment.plans) == (4, "lineup", True)
