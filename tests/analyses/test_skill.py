"""The study `skill` plays its tournaments, answers four questions, and writes the answers into the given page."""

from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import polars as pl
import pytest

from tests.analyses.studies import files_of, look
from tests.analysis.planted import planted_rows
from wallsim.analyses.skill import estimates as skill
from wallsim.analyses.skill import figures as registered
from wallsim.analyses.skill import study
from wallsim.errors import InputError
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.folder import open_tournament
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.orders import TAU
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import digest_of

GAMES = 300


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("skill")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("skill", folder, GAMES, quick=False, workers=None, strong="conqueror")


def test_two_fields_meet_at_tables_of_three_sizes(reported):
    folder, _ = reported
    runs = {path.name: open_tournament(path) for path in folder.iterdir() if (path / "journal.jsonl").is_file()}
    assert set(runs) == {f"{field}_{players}" for field in ("ladder", "zoo") for players in (3, 4, 5)}
    for name, met in runs.items():
        identity = met.manifest["experiment"]["identity"]
        assert (met.manifest["seed"], identity["players"]) == (2028, int(name[-1]))
        expected = skill.STYLES if name.startswith("zoo") else {"conqueror", *skill.COMMON}
        assert met.policies == tuple(sorted(expected))
        assert met.manifest["games"] >= GAMES


def test_wins_less_those_of_the_curve_are_their_difference(reported):
    figures = reported[1].figures
    groups = [key for key in figures if key.startswith("skill.wins-by-lead.")]
    assert groups
    for key in groups:
        wins, curve, apart = (figures[key.replace("wins-by-lead", name)].value for name in
                              ("wins-by-lead", "wins-by-curve", "wins-less-curve"))  # fmt: skip
        assert wins - curve == pytest.approx(apart)


def test_shares_of_variance_add_up_to_all(reported):
    for quantity in registered.SHARE.values():
        for field in registered.FIELDS:
            for players in skill.SIZES:
                head = f"skill.{quantity}.{players}p.{field.replace(' ', '-')}-"
                shares = [row.value for key, row in reported[1].figures.items() if key.startswith(head)]
                assert len(shares) in (5, 6)  # some fields lack policy × line-up in few games
                assert sum(shares) == pytest.approx(100)


def test_a_study_that_is_there_is_not_played_again(reported):
    folder, result = reported
    before = files_of(folder)
    (folder / "zoo_4" / "manifest.json").unlink()  # an interrupted one resumes
    assert run(folder).page == result.page
    assert files_of(folder) == before


def test_the_upper_ladder_has_the_games_without_the_weakest():
    rows = pl.DataFrame({"game": [0, 0, 1, 1, 2, 2], "policy": ["a", "b", "b", "c", "a", "a"]})
    assert skill.without(rows, ["c"])["game"].to_list() == [0, 0, 2, 2]
    assert skill.without(rows, ["a", "c"]).is_empty()


def test_whole_cycles_are_played_where_the_games_make_one():
    four = Design(7, 4)  # 140 games a block, 24 blocks a cycle
    assert skill.blocks_for(four, 300) == 3
    assert skill.blocks_for(four, 24 * 140) == 24
    assert skill.blocks_for(four, 24 * 140 + 1) == 48


def test_the_digest_tells_another_policy_another_number_of_games_and_nothing_else():
    def digest(games, strong):
        return digest_of(load_study("skill"), skill.Chosen(games, (strong,)))

    assert len({digest(300, "conqueror"), digest(5_000, "conqueror"), digest(300, "heedless")}) == 3
    assert digest(300, "conqueror") == digest(301, "conqueror")  # as many blocks


STRENGTHS = np.linspace(1.5, -1.5, 8)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Results of planted strengths, the figures as they are read from a file, and the design."""
    design, rows = skill.Chosen(GAMES, ()), {}
    for (name, size), tournament in skill.tournaments(*design).items():
        names = {f"p{number}": policy.name for number, policy in enumerate(tournament.policies)}
        turned = STRENGTHS[::-1] if (name, size) == (skill.ZOO, 5) else STRENGTHS
        played = planted_rows(turned, 240, size, games=16, players=size, lineups=True, noise=0.5)
        lineup = (pl.col("seat") + pl.col("game")) % size
        rows[name, size] = played.with_columns(pl.col("policy").replace(names), lineup=lineup.cast(pl.String))
    estimated, collected = skill.estimate(rows, resamples=60), Rows("skill", 2028, "0")
    registered.add_figures(estimated, collected)
    file = tmp_path_factory.mktemp("register") / "skill.csv"
    file.write_text(register_text(collected.done()), "utf-8")
    return estimated, read_register("skill", file), design


def test_the_register_has_what_the_picture_draws(planted):
    estimated, figures, design = planted
    for field in estimated.fields:
        at = (figures, field.name, field.players)
        assert study.policies_of(design, *at[1:]) == list(field.skills["vp"].policies)
        for result, of_field in field.skills.items():
            parts = {part.name: part for part in of_field.parts}
            drawn = registered.shares_of(*at, result)
            assert {part.name for part in drawn.parts} == set(parts)
            for part in drawn.parts:
                assert part.share == pytest.approx(parts[part.name].share)
                assert part.interval == pytest.approx(parts[part.name].interval)
        for one, other in zip(registered.groups_of(*at), field.bins, strict=True):
            for value, expected in zip(vars(one).values(), vars(other).values(), strict=True):
                assert value == expected or value == pytest.approx(expected)


def test_the_register_has_neighbours_and_orders(planted):
    estimated, figures, _ = planted
    for field in estimated.fields:
        for pair in field.neighbours:
            item, at = f"{field.name} {pair.one} {pair.other}", {"players": field.players}
            before, needed = (figures.of(name, item, **at) for name in ("before-next", "games-needed"))
            assert (before.value, *before.ends) == pytest.approx([100 * each for each in (pair.before, *pair.interval)])
            assert (needed.value, *needed.ends) == pytest.approx((pair.needed, pair.least, pair.most))
            assert figures.of("games-with-both", item, **at).value == pair.games
    for name, by_sizes in estimated.orders.items():
        for (one, other), order in by_sizes.items():
            item = f"{name} {one} and {other}"
            for pairs, sign in ((order.same, 1), (order.turned, -1), (order.open, 0)):
                for pair in pairs:
                    assert figures.of("same-order", " ".join((item, *sorted(pair)))).value == sign
            tau = figures.of(TAU, item)
            assert (tau.value, *tau.ends) == pytest.approx((order.tau, *order.interval))
    assert estimated.orders["zoo"][3, 5].turned


def test_every_estimate_has_an_interval_of_its_family(planted):
    estimated, figures, _ = planted
    shares = sum(len(each.parts) for field in estimated.fields for each in field.skills.values())
    groups = sum(len(field.bins) for field in estimated.fields)
    for quantities, family in (
        (registered.SHARE.values(), shares),
        (("strength",), 2 * 3 * 8),
        (("wins-by-lead", "wins-by-curve", "wins-less-curve"), 3 * groups),
        (("before-next", "games-needed"), 7),
        ((TAU,), 6),
    ):
        for quantity in quantities:
            rows = [row for key, row in figures.items() if key.startswith(f"skill.{quantity}.")]
            assert rows
            for row in rows:
                assert row.family == family
                assert row.ends is not None, (row.id, row.n)
                low, high = row.interval(Confidence(0.95, family))
                assert low <= row.value <= high
    assert len(figures) == len(set(figures))


def test_what_has_no_interval_has_none_in_the_register(reported):
    figures = reported[1].figures
    assert isnan(figures["skill.share-of-points.4p.ladder-policy"].low)
    needed = [row for key, row in figures.items() if key.startswith("skill.games-needed.")]
    assert needed
    assert all(isnan(row.value) and row.ends is None for row in needed)


def test_the_number_of_games_is_rounded_up_and_open_where_the_order_is_not_known(planted):
    known = replace(next(iter(planted[1].values())), value=321.0, low=101.0, high=1299.0)
    assert study.needed(known) == "330 (110 to 1,300)"
    assert study.needed(replace(known, high=inf)) == "over 110"
    assert study.needed(replace(known, value=nan, low=nan, high=nan)) == "–"
    assert study.rounded(7) == "7"


def test_what_cannot_be_played_is_named_before_anything_is(tmp_path):
    with pytest.raises(InputError, match="nobody"):
        look("skill", tmp_path / "runs", GAMES, quick=False, strong="nobody")
    assert not (tmp_path / "runs").exists()


def test_the_shipped_strong_policies_and_grades_exist():
    assert skill.tournaments()
