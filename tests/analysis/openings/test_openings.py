"""Openings against a group-by that uses nothing but the files, and forced cards against the games themselves."""

from math import sqrt

import polars as pl
import pytest
from scipy.stats import t

from tests.refusals import refused
from wallsim.analysis.openings.choices import BID, BOXES, LEAST, MOST_FREQUENT, REST, openings_of
from wallsim.analysis.openings.forced import explore, flat, forced_effects, rows_of
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

GAMES = 400
EXPERIMENT = Experiment(policies=("balanced", "random", "balanced", "casual"), games=GAMES, seed=4, plans=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run with plans; do not change it."""
    return play_run(EXPERIMENT, tmp_path_factory.mktemp("openings") / "run")


@pytest.fixture(scope="module")
def drafted(tmp_path_factory):
    """A finished run of a draft, in which a policy sits in several seats."""
    experiment = Experiment(policies="balanced", players=3, setup="draft", games=200, plans=True)
    return play_run(experiment, tmp_path_factory.mktemp("openings") / "drafted")


def joined(run):
    """The plans of spring of year one with what their seats won, as pandas-free polars from the files."""
    folder = run.folder
    plans = pl.read_parquet(f"{folder}/plans/*.parquet").filter(pl.col("year") == 1, pl.col("season") == "spring")
    seats = pl.read_parquet(f"{folder}/seats/*.parquet").select("game", "seat", "vp", "win")
    means = seats.group_by("game").agg(mean=pl.col("vp").cast(pl.Float64).mean())
    gains = seats.join(means, on="game").with_columns(above=pl.col("vp") - pl.col("mean"))
    return plans.join(gains, on=["game", "seat"])


def counties_on(rows, box):
    """The county on a box of each plan, "pass" for any other card; for the auction the bid."""
    if box == BID:
        cards = rows["auction_card"].cast(pl.String)
        kinds = [str(card).partition("_") for card in cards]
        other = {"None": "pass", "tower": "pass", "blank": "pass"}
        return [
            f"{amount} Thaler{'' if amount == '1' else 's'}" if kind == "money" else other.get(kind, "county")
            for kind, _, amount in kinds
        ]
    cards = rows[f"{box}_card"].cast(pl.String)
    is_county = [card is not None and not card.startswith(("money", "tower", "blank")) for card in cards]
    return [card if county else "pass" for card, county in zip(cards, is_county, strict=True)]


def test_shares_and_means_are_those_of_a_group_by(run):
    rows = joined(run)
    seen = {(each.lineup, each.policy): each for each in openings_of(run)}
    assert set(seen) == {("A", "balanced"), ("B", "random"), ("C", "balanced"), ("D", "casual")}
    found = set()
    for (lineup, _), opening in seen.items():
        own = rows.filter(pl.col("lineup").cast(pl.String) == lineup)
        assert opening.vp.mean == pytest.approx(own["above"].mean())
        assert [box.box for box in opening.boxes] == list(BOXES)
        for box in opening.boxes:
            counted = own.with_columns(card=pl.Series(counties_on(own, box.box)))
            by_card = counted.group_by("card").agg(
                pl.len(), pl.col("above", "win").mean(), pl.col("above").std().alias("s")
            )
            expected = {row["card"]: row for row in by_card.rows(named=True)}
            for choice in box.choices:
                found.add("rest" if choice.card == REST else choice.vp.interval is not None)
                if choice.card == REST:
                    assert choice.cases == sum(row["len"] for row in expected.values() if row["len"] < LEAST)
                    continue
                row = expected[choice.card]
                assert (choice.cases, choice.games) == (row["len"], row["len"])
                assert choice.cases >= LEAST
                assert choice.share == pytest.approx(row["len"] / GAMES)
                assert choice.vp.mean == pytest.approx(row["above"])
                assert choice.wins.mean == pytest.approx(row["win"] - 0.25, abs=1e-6)
                if choice.vp.interval is not None:
                    quantile = t.ppf(1 - 0.025 / len(box.choices), row["len"] - 1)
                    half = quantile * row["s"] / sqrt(row["len"])
                    assert choice.vp.interval == pytest.approx((row["above"] - half, row["above"] + half))
            assert sum(choice.cases for choice in box.choices) == GAMES
            assert sorted(box.choices, key=lambda each: (each.card == REST, -each.cases)) == list(box.choices)
    assert found == {"rest", True, False}  # some cards are frequent enough for intervals


def test_the_next_season_counts_only_the_plans_with_the_first_card(run):
    summer = pl.read_parquet(f"{run.folder}/plans/*.parquet").filter(pl.col("year") == 1, pl.col("season") == "summer")
    [opening] = openings_of(run, "A")
    first = joined(run).filter(pl.col("lineup") == "A")
    for box in opening.boxes:
        assert len(box.frequent) <= MOST_FREQUENT
        laid = dict(zip(first["game"], counties_on(first, box.box), strict=True))
        for choice in box.frequent:
            games = [game for game, card in laid.items() if card == choice.card]
            later = summer.filter(pl.col("lineup") == "A", pl.col("game").is_in(games))
            [taxes] = [each for each in opening.following[box.box, choice.card] if each.box == "taxes"]
            counted = pl.Series(counties_on(later, "taxes")).value_counts(name="n")
            expected = {card: n for card, n in counted.iter_rows() if n >= LEAST}
            assert {each.card: each.cases for each in taxes.choices if each.card != REST} == expected


def test_a_game_is_the_unit_where_several_seats_play_alike(drafted):
    rows = joined(drafted)
    [opening] = openings_of(drafted)
    assert (opening.lineup, opening.cases, opening.games) == (None, 600, 200)
    box = next(each for each in opening.boxes if each.box == "combat_a")
    [choice] = [each for each in box.choices if each.card == "pass"]
    rows = rows.with_columns(card=pl.Series(counties_on(rows, "combat_a"))).filter(pl.col("card") == "pass")
    by_game = rows.group_by("game").agg(pl.len(), pl.col("above").sum())
    mean = by_game["above"].sum() / by_game["len"].sum()
    residuals = (by_game["above"] - mean * by_game["len"]) / by_game["len"].mean()
    error = sqrt((residuals**2).sum() / (len(by_game) * (len(by_game) - 1)))
    half = t.ppf(1 - 0.025 / len(box.choices), len(by_game) - 1) * error
    assert choice.vp.mean == pytest.approx(mean)
    assert choice.vp.interval == pytest.approx((mean - half, mean + half))


@pytest.mark.slow
def test_forced_cards_change_no_game_in_which_they_lie_there_anyway(run):
    """The same card gives exactly the same rows; another one changes the plan of that seat alone."""
    [opening] = openings_of(run, "C")
    for box in opening.boxes[3:4]:
        for choice in box.frequent:
            step = {"do": "plan", "box": box.box, "card": choice.card, "seat": 2, "round": "spring 1"}
            base = EXPERIMENT.arena().play(0, 60, plans=True)
            other = EXPERIMENT.changed(interventions=[step]).arena().play(0, 60, plans=True)
            first = joined(run).filter(pl.col("lineup") == "C").sort("game").head(60)
            same = [card == choice.card for card in counties_on(first, box.box)]
            for game, alike in enumerate(same):
                rows = [each.seats.reshape(60, -1)[game].tolist() for each in (base, other)]
                assert not alike or rows[0] == rows[1]
            effect = forced_effects(EXPERIMENT, opening, 60)[box.box, choice.card]
            assert effect.same == sum(same)
            assert effect.games + effect.same + effect.not_laid == 60


def test_a_card_that_is_always_there_has_no_forced_effect(run):
    [opening] = openings_of(run, "B")
    effects = forced_effects(EXPERIMENT, opening, 40)
    assert set(effects) == {
        (box.box, choice.card) for box in opening.boxes if box.box != BID for choice in box.frequent
    }
    assert any(effect.games for effect in effects.values())
    assert all(effect.vp.interval is None for effect in effects.values() if effect.games < LEAST)


def test_rows_have_every_number_once(run):
    explored = explore(run, lineup="D", forced=40)
    rows = list(rows_of([explored]))
    keys = [tuple(row[name] for name in ("season", "given_box", "given_card", "box", "card")) for row in rows]
    assert len(set(keys)) == len(keys)
    assert {row["season"] for row in rows} == {"spring", "summer"}
    assert all(isinstance(value, str | int | float | None) for row in rows for value in flat(row).values())


def test_what_cannot_be_explored_is_refused(run, drafted, tmp_path):
    plain = play_run(Experiment(policies="random", games=1), tmp_path / "run")
    for call, names in (
        (lambda: openings_of(plain), ["--plans"]),
        (lambda: openings_of(run, "E"), ["lineup: 'E'", "A, B, C, D"]),
        (lambda: openings_of(run, None, "zoo"), ["policy: 'zoo'", "balanced, casual, random"]),
        (lambda: openings_of(drafted, "A"), ["lineup", "none"]),
        (lambda: explore(drafted, forced=10), ["forced", "line-ups"]),
        (lambda: explore(run, forced=GAMES + 1), ["forced: 401", "0 to 400"]),
    ):
        with refused(*names):
            call()
