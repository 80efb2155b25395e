"""The findings of the studies of policies can be read, and say something else where their figures say it."""

from dataclasses import replace

import pytest

from wallsim.analysis.claims.plays import CASUAL_POLICY, SECOND_POLICY, STRONG_POLICY, WEAK_POLICY
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.finding import finding_errors
from wallsim.studies.publishing import from_register


def finding_with(study, changed=None):
    """The finding of a study by its published figures; `changed` returns new fields of a figure by its id, or {}."""
    result = from_register(load_study(study))
    rows = [replace(row, **(changed(row) if changed else {})) for row in result.figures.values()]
    try:
        page = result.study.page(Figures(study, rows), result.design)
    except KeyError as error:
        pytest.skip(f"the register is of other policies: {error}")
    assert finding_errors(page.finding, page.table) == []
    return page.finding


def between(low, high):
    """The fields of a figure whose interval is this one."""
    return {"value": (low + high) / 2, "low": low, "high": high}


FIRST, SECOND = "the first of their two lines wins more", "the second of their two lines wins more"


@pytest.mark.parametrize(
    ("lineup", "draft", "words"),
    [
        (((46.0, 50.0), (40.0, 44.0)), ((52.0, 54.0), (50.0, 51.0)), FIRST),
        (((40.0, 44.0), (46.0, 50.0)), ((40.0, 44.0), (46.0, 50.0)), SECOND),
        (((40.0, 47.0), (46.0, 50.0)), ((40.0, 44.0), (46.0, 50.0)), f"{SECOND} (draft)"),
        (((46.0, 50.0), (40.0, 44.0)), ((40.0, 44.0), (46.0, 50.0)), "depends on the set-up"),
        (((40.0, 47.0), (46.0, 50.0)), ((40.0, 47.0), (46.0, 50.0)), "is not known"),
    ],
)
def test_the_ladder_says_which_line_wins_more_as_its_table_has_it(lineup, draft, words):
    """Wins of both lines, first and second, with line-ups and in the draft: those of the table below the title."""
    wins = {
        f"ladder.wins.4p.{policy}{end}": between(*ends)
        for both, end in ((lineup, ""), (draft, "/draft"))
        for policy, ends in zip((STRONG_POLICY, SECOND_POLICY), both, strict=True)
    }
    title = finding_with("ladder", lambda row: wins.get(row.id, {})).title
    assert title.endswith(words)


def test_skill_that_is_not_known_to_matter_is_no_number_in_the_title():
    usual = finding_with("skill")
    assert "no known part" not in usual.title
    none = finding_with(
        "skill", lambda row: between(-1.0, 2.0) if row.id == "skill.share-of-points.4p.zoo-policy" else {}
    )
    assert "no known part among styles" in none.title
    assert "0.5 ± 1.5 % among styles" in none.experienced


@pytest.mark.parametrize(
    ("casual", "strong", "second", "words"),
    [
        (5.0, 1.0, 1.0, " less often than"),
        (1.0, 5.0, 5.0, " more often than"),
        (3.0, 1.0, 5.0, " not always more or less often than"),
    ],
)
def test_strong_players_are_compared_with_casual_ones_by_both_lines(casual, strong, second, words):
    values = {CASUAL_POLICY: casual, STRONG_POLICY: strong, SECOND_POLICY: second}
    rows = {f"zoo.alike.4p.{name}-attacks-on-neutrals": between(one - 0.1, one + 0.1) for name, one in values.items()}
    assert words in finding_with("zoo", lambda row: rows.get(row.id, {})).title


def test_another_play_that_comes_nearer_to_people_is_told():
    def apart(nearest):
        return lambda row: {"value": 0.5 if row.play == nearest else 4.0} if row.id.startswith("casual.dist") else {}

    own, other = (finding_with("casual", apart(name)).title for name in (CASUAL_POLICY, WEAK_POLICY))
    assert own.startswith("Casual play is 0.5 points off")
    assert own.endswith("no play tried comes nearer")
    assert other.startswith("Casual play is 4.0 points off")
    assert other.endswith("other play comes nearer")


def test_the_tower_decides_only_what_is_known_to_differ_between_towers():
    def at(unlike):
        def fields(row):
            if not row.id.startswith("tower.outcome.4p.success-against-players/"):
                return {}
            away = 10.0 if row.tower == "rulebook" and row.play in unlike else 0.0
            return between(60.0 + away, 64.0 + away)

        return fields

    every = ("casual", "strong", "second strong")
    assert " depends on the dice tower: in 62 to 72 %" in finding_with("tower", at(every)).title
    assert " may depend on the dice tower" in finding_with("tower", at(every[:1])).title
    assert " is not known to depend on the dice tower" in finding_with("tower", at(())).title
