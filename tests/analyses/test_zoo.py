"""The study `zoo` plays every policy at two tables, keeps its runs, and answers with tables and a picture."""

import re
from collections import Counter

import numpy as np
import pytest
from scipy.stats import t

from tests.analyses.studies import files_of, look
from wallsim.analyses.zoo import estimates as zoo
from wallsim.analyses.zoo import page
from wallsim.analyses.zoo.figures import add_all, confidence
from wallsim.analysis.behaviour.measures import RESULT, measures_of
from wallsim.analysis.behaviour.openings import Openings
from wallsim.analysis.behaviour.profiles import Behaviour
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited
from wallsim.runs.folder.results import open_run
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Rows
from wallsim.studies.study import TABLES

POLICIES = ("random", "builder")
PLAYED = ("balanced", *POLICIES)
GAMES = 40
CONDUCT = sum(measure.group != RESULT for measure in measures_of())
MANY = 400  # blocks of a planted study: more than any of its tables needs


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("zoo")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("zoo", folder, GAMES, quick=False, policies=",".join(POLICIES))


def test_every_policy_plays_among_its_like_and_once_in_each_seat_among_the_baseline(reported):
    folder, _ = reported
    runs = {path.parent.name + "/" + path.name: open_run(path) for path in folder.glob("*/*") if path.is_dir()}
    assert len(runs) == 2 + 9 * len(POLICIES)
    assert {(run.manifest["games"], run.manifest["seed"]) for run in runs.values()} == {(GAMES, 2027)}
    seats = Counter()
    for place, played in runs.items():
        identity = played.manifest["experiment"]["identity"]
        names = [policy["name"] for policy in identity["policies"]]
        setup = "draft" if "/draft_" in place else "lineup"
        assert identity["setup"] == setup
        assert identity["lineups"] == (["A", "B", "C", "D"] if setup == "lineup" else [""] * 4)
        if place.endswith("alike"):
            assert names == [place.split("/")[0]] * 4
            seats[place] += 1
        else:
            assert Counter(names) == {"balanced": 3, place.split("/")[0]: 1}
            seats.update((place.split("/")[0], setup, seat) for seat, name in enumerate(names) if name != "balanced")
    copies = ("balanced/alike", "balanced/draft_alike", *(f"{name}/alike" for name in POLICIES))
    alone = [(name, setup, seat) for name in POLICIES for setup in ("lineup", "draft") for seat in range(4)]
    assert seats == dict.fromkeys([*copies, *alone], 1)


def test_the_page_has_a_row_per_policy(reported):
    printed = reported[1].blocks()[TABLES]
    games = GAMES * (2 + 9 * len(POLICIES))
    assert printed.startswith(f"3 policies, {GAMES} blocks each, up to 9 games per block: {games} games;")
    rows = [line for line in printed.splitlines() if re.match(r"\| `", line)]
    names = [re.match(r"\| (`\w+`[^|]*) \|", row)[1] for row in rows]
    assert names == ["`balanced`", "`balanced`, draft", *(f"`{name}`" for name in (*POLICIES, *3 * PLAYED))]
    assert all(row.count(" | ") == len(zoo.COLUMNS) + 2 for row in rows[:4])
    assert rows[0].endswith("| 25, by definition | 25, by definition |")
    assert rows[1].endswith("| – | 25, by definition |")


def test_the_numbers_are_those_of_the_tables(reported):
    folder, printed = reported[0], reported[1].text
    lines = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| `")][:4]
    rows = {cells[0]: cells for cells in lines}
    for name, place in (("`random`", "random/alike"), ("`balanced`, draft", "balanced/draft_alike")):
        seats = open_run(folder / place).scan("seats").collect()
        assert rows[name][1] == str(GAMES)
        assert rows[name][2] == f"{seats['attacks_on_players'].mean():.2f}"  # too few blocks for so many intervals
        assert rows[name][10] == f"{seats['shortages'].mean():.2f}"
    for column, prefix in ((12, ""), (13, "draft_")):
        won = 0.0
        for seat in range(4):
            guests = open_run(folder / "builder" / f"{prefix}in_seat_{seat}").scan("seats").collect()
            won += guests.filter(seat=seat)["win"].sum()
        assert rows["`builder`"][column] == f"{100 * won / 4 / GAMES:.1f}"


def test_intervals_hold_for_the_whole_table_and_distances_for_all_pairs(reported):
    printed, table = reported[1].text, confidence(len(PLAYED))
    assert table == Confidence(0.95, 4 * len(zoo.COLUMNS) + 3)
    assert table.too_few(GAMES, "blocks") in printed
    assert f"the intervals of all pairs and of {CONDUCT} measures hold simultaneously" in printed
    assert Confidence(0.95, 3 * CONDUCT).too_few(GAMES, "blocks") in printed
    assert re.search(r"[0-3] of 3 pairs are plainly different", printed)


@pytest.fixture(scope="module")
def planted():
    """What a zoo of three policies might find in 400 blocks, with standard errors of 1 and of half a deviation's gap.

    `random` and `builder` lie from `balanced` by as much as is plain, or just not, by the interval of all differences.
    """
    measures = measures_of()
    first = measures[0].name
    noise = np.tile([-1.0, 1.0], MANY // 2) * np.sqrt(MANY - 1)
    other_noise = np.tile([-1.0, -1.0, 1.0, 1.0], MANY // 4) * np.sqrt(MANY - 1)

    def of(name, apart, bends):
        values = {measure.name: Estimate(30.0, bends) for measure in measures}
        values[first] = Estimate(30.0 + apart, bends)
        variances = {measure.name: Estimate(1.0, np.zeros(MANY)) for measure in measures}
        return Behaviour(name, values, variances, MANY, 4 * MANY)

    plain = 0.8 + quantile(3 * CONDUCT)  # the difference to `balanced`, whose estimates are exact, has the error of one
    copies = {
        "balanced": of("balanced", 0.0, np.zeros(MANY)),
        "random": of("random", plain + 0.01, noise),
        "builder": of("builder", -plain + 0.01, other_noise),
    }
    drafted = {name: copies[name] for name in POLICIES}
    openings = {name: Openings(Estimate(5.0, noise), Estimate(90.0, noise), 4.5) for name in copies}
    estimate = zoo.Zoo("balanced", measures, copies, copies, drafted, of("balanced", 0.0, noise), openings)
    rows = Rows("zoo", 1, "0")
    add_all(estimate, rows, {("random", 4): Exploited(0.345, 0.331, 0.359), ("builder", 3): Exploited(1, 1, 1)})
    return rows.done(), zoo.Design(POLICIES, None)


def quantile(count):
    """Student's for `count` simultaneous intervals of MANY blocks."""
    return t.ppf(1 - 0.05 / 2 / count, MANY - 1)


def test_half_widths_are_those_of_all_47_intervals_of_the_table(planted):
    """Eleven columns in four rows, the draft's among them, and the wins of three policies in the draft."""
    rows = [line.strip("| ").split(" | ") for line in page.behaviour_table(*planted).splitlines()[2:]]
    assert [row[0] for row in rows] == ["`balanced`", "`balanced`, draft", "`random`", "`builder`"]
    by_name = {measure.name: measure for measure in measures_of()}
    decimals = [by_name[column].decimals for column in zoo.COLUMNS]
    for row in rows[1:]:
        halves = [cell.split(" ± ")[1] for cell in row[2:] if " ± " in cell]
        shown = decimals[:-1] if row[0] == "`balanced`, draft" else [*decimals, decimals[-1]]
        assert halves == [f"{quantile(47):.{digits}f}" for digits in shown]
    assert "±" not in " ".join(rows[0])  # nothing differs there from block to block


def test_openings_and_best_responses_stand_beside_what_is_done(planted):
    reported = page.more_table(*planted)
    rows = {row.split(" | ")[0].strip("| "): row.strip("| ").split(" | ") for row in reported.splitlines()[4:]}
    half = quantile(3 * (len(zoo.MORE_COLUMNS) + 2))
    assert rows["`random`"][-3:] == [f"5.00 ± {half:.2f}", f"90.0 ± {half:.1f}", "34.5 (33.1 to 35.9)"]
    assert [rows[name][-1] for name in ("`balanced`", "`builder`")] == ["–", "–"]
    assert f"Openings are those of {MANY} games" in reported


def test_first_choices_have_a_column_a_tile(planted):
    lines = page.choice_table(*planted).splitlines()
    assert lines[2] == "| policy | thaler, % | grain, % | six armies, % | attack, % | defence, % |"
    assert [line.split(" | ")[0].strip("| ") for line in lines[4:]] == [f"`{name}`" for name in PLAYED]
    assert f"30.0 ± {quantile(15):.1f}" in lines[5]


def test_distances_are_plain_by_the_interval_of_all_pairs_and_measures(planted):
    reported = page.distance_table(*planted)
    assert reported.startswith("2 of 3 pairs are plainly different")
    rows = {row.split(" | ")[0].strip("| "): row.strip("| ").split(" | ") for row in reported.splitlines()[4:]}
    gap, half = 0.8 + quantile(3 * CONDUCT), quantile(3 * CONDUCT)
    assert rows["`random`"][1:] == [
        "`balanced`", measures_of()[0].name, f"{gap + 0.01:.2f} ± {half:.2f}", "yes"
    ]  # fmt: skip
    assert rows["`builder`"][1:] == [
        "`balanced`", measures_of()[0].name, f"−{gap - 0.01:.2f} ± {half:.2f}", "no"
    ]  # fmt: skip


def test_a_study_that_is_there_is_not_played_again(reported):
    folder, result = reported
    before = files_of(folder)
    (folder / "random" / "in_seat_2" / "manifest.json").unlink()  # an interrupted one resumes
    assert run(folder).figures == result.figures
    assert files_of(folder) == before


def test_a_policy_that_is_none_is_named_before_anything_is_played(tmp_path):
    with pytest.raises(InputError, match='policies: "nobody" is not one of'):
        look("zoo", tmp_path / "runs", 2, quick=False, policies="random,nobody")
    assert not (tmp_path / "runs").exists()


def test_columns_are_measures_and_all_policies_but_searches_are_played_by_default():
    names = {measure.name for measure in measures_of()}
    assert {*zoo.COLUMNS, *zoo.MORE_COLUMNS, *zoo.CHOICES} < names
    assert set(zoo.DRAWN) < names
    searches = {name for name in policy_names() if load_policy(name).search is not None}
    assert searches
    assert set(zoo.quick_policies()) == set(policy_names()) - searches
