"""A retired id is never published again, and the study that drops ids says which lines the list needs."""

from dataclasses import replace

import pytest

import wallsim
from tests.refusals import assert_names, refused
from tests.studies.asking import asked
from wallsim.rules.files import data_folder
from wallsim.studies.publishing import RETIRED, RETIRED_COLUMNS, publish, retired_errors, to_retire
from wallsim.studies.quantities import Key, Number, Quantity
from wallsim.studies.register import ROOM, read_register
from wallsim.studies.running import run_study
from wallsim.studies.shared_files import rows_of

IDS = ("a.wins.3p.A", "a.wins.3p.B/weak/mid", "a.wins.4p.A", "a.games", "a.games.3p", "a.vp.A/weak/mid@start")


def retire(folder, *lines):
    """Write a list of retired ids."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RETIRED).write_text("\n".join(["ids,reason", *lines, ""]), "utf-8")


def test_no_published_id_is_retired_and_every_retired_one_has_a_reason():
    assert retired_errors(wallsim.figures()["id"], data_folder(ROOM)) == []
    assert all(reason.strip() for _, (_, reason) in rows_of(data_folder(ROOM) / RETIRED, RETIRED_COLUMNS)[1:])


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("a.wins", IDS[:3]), ("a.wins.3p", IDS[:2]), ("a.win", ()), ("*/weak/*", (IDS[1], IDS[5])),
     ("a.game[s]", IDS[3:4]), (IDS[5], IDS[5:])],
)  # fmt: skip
def test_a_line_retires_ids_by_their_beginning_or_by_a_pattern(tmp_path, pattern, expected):
    assert retired_errors(IDS, tmp_path) == []
    retire(tmp_path, "b.vp,measured in another way", f"{pattern},no longer of use")
    errors = retired_errors(IDS, tmp_path)
    assert len(errors) == len(expected)
    for error, each in zip(errors, expected, strict=True):
        assert_names(error, tmp_path / RETIRED, f"{pattern!r} retires {each}")


@pytest.mark.parametrize(
    ("stays", "expected"),
    [(IDS, []), (IDS[3:], ["a.wins"]), (IDS[2:], ["a.wins.3p"]), (IDS[1:], ["a.wins.3p.A"]),
     (IDS[:3] + IDS[4:], ["a.game[s]"]), ((), ["a.wins", "a.games", "a.vp"])],
)  # fmt: skip
def test_ids_that_are_dropped_are_said_in_as_few_lines_as_others_allow(tmp_path, stays, expected):
    assert to_retire(IDS, stays) == expected
    retire(tmp_path, *(f"{each},dropped" for each in expected))
    assert retired_errors(stays, tmp_path) == []
    assert len(retired_errors(IDS, tmp_path)) == len(IDS) - len(stays)


def test_a_study_that_drops_ids_says_what_to_retire_and_publishes_no_retired_one(tmp_path):
    pages = tmp_path / "docs" / "studies"
    pages.mkdir(parents=True)
    for page, mark in (("asked.md", "finding"), ("asked-tables.md", "tables")):
        (pages / page).write_text(f"<!-- {mark} -->\n<!-- /{mark} -->\n", "utf-8")
    less = asked(tmp_path)
    study = replace(
        less, play=lambda *each: {**less.play(*each), Key("points", "A"): Number(4.0)},
        quantities=(*less.quantities, Quantity("points", "points of {item}")),
    )  # fmt: skip
    more = run_study(study, tmp_path / "more")
    assert publish(more, tmp_path) == []
    [missing, line] = publish(run_study(less, tmp_path / "less"), tmp_path)
    assert_names(missing, "1 figures", "asked.points.A")
    assert_names(line, "asked.points: ", "data/figures/retired.csv")
    retire(tmp_path / "data" / "figures", "asked.points,nobody read them")
    with refused("retired.csv", "'asked.points' retires asked.points.A"):
        publish(more, tmp_path)
    assert "asked.points.A" not in read_register("asked", tmp_path / "data" / "figures" / "asked.csv")
