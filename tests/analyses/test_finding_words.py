"""The findings of the studies of policies can be read, and say something else where their figures say it."""

import re

import pytest

from tests.analyses.studies import published
from tests.studies.first_screens import finding_errors
from wallsim.analysis.claims.cells import CASUAL_POLICY, SECOND_POLICY, STRONG_POLICY, WEAK_POLICY
from wallsim.studies.catalogue import load_study
from wallsim.studies.finding import RESTS_ON
from wallsim.studies.publishing import from_register


def finding_with(study, changed=lambda row: None):
    """The finding of a study by its published figures; `changed` returns a new interval of a figure, or None."""

    def fields(row):
        low, high = changed(row) or (None, None)
        return {} if low is None else {"value": (low + high) / 2, "low": low, "high": high}

    result = from_register(load_study(study))
    try:
        page = result.study.page(published(study, fields), result.design)
    except KeyError as error:
        pytest.skip(f"the register is of other policies: {error}")
    assert finding_errors(page.finding, page.table) == []
    return page.finding


FIRST, SECOND = "master bots win more than scholar bots", "scholar bots win more than master bots"
MORE, LESS, UNCLEAR = ((46.0, 50.0), (40.0, 44.0)), ((40.0, 44.0), (46.0, 50.0)), ((40.0, 47.0), (46.0, 50.0))


@pytest.mark.parametrize(
    ("lineup", "draft", "words"),
    [
        (MORE, ((52.0, 54.0), (50.0, 51.0)), FIRST),
        (LESS, LESS, SECOND),
        (UNCLEAR, LESS, f"{SECOND} (draft)"),
        (MORE, LESS, "depends on the set-up"),
        (UNCLEAR, UNCLEAR, "is not known"),
    ],
)
def test_the_ladder_says_which_line_wins_more_as_its_table_has_it(lineup, draft, words):
    """Wins of both lines, first and second, with line-ups and in the draft: those of the table below the title."""
    wins = {
        f"ladder.wins.4p.{policy}{end}": ends
        for both, end in ((lineup, ""), (draft, "/draft"))
        for policy, ends in zip((STRONG_POLICY, SECOND_POLICY), both, strict=True)
    }
    assert finding_with("ladder", lambda row: wins.get(row.id)).title.endswith(f"{words} {RESTS_ON}")


def test_skill_that_is_not_known_to_matter_is_no_number_in_the_title():
    assert "no known part" not in finding_with("skill").title
    none = finding_with("skill", lambda row: (-1.0, 2.0) if row.id == "skill.share-of-points.4p.zoo-policy" else None)
    assert re.search("no known part .*styles", none.title)
    assert re.search("0.5 ± 1.5 % .*styles", none.experienced)


@pytest.mark.parametrize(
    ("casual", "strong", "second", "words"),
    [(5.0, 1.0, 1.0, " less often than"), (1.0, 5.0, 5.0, " more often than"), (3.0, 1.0, 5.0, " not always more")],
)
def test_strong_players_are_compared_with_casual_ones_by_both_lines(casual, strong, second, words):
    values = {CASUAL_POLICY: casual, STRONG_POLICY: strong, SECOND_POLICY: second}
    rows = {f"zoo.alike.4p.{name}-attacks-on-neutrals": (one - 0.1, one + 0.1) for name, one in values.items()}
    assert words in finding_with("zoo", lambda row: rows.get(row.id)).title


@pytest.mark.parametrize(
    ("nearest", "apart", "others"), [(CASUAL_POLICY, "0.5 points", "no bots tried"), (WEAK_POLICY, "4.0", "other bots")]
)
def test_another_play_that_comes_nearer_to_people_is_told(nearest, apart, others):
    def changed(row):
        return (0.5 if row.play == nearest else 4.0,) * 2 if row.id.startswith("casual.dist") else None

    title = finding_with("casual", changed).title
    assert title.startswith(f"Casual bots are {apart}")
    assert f"{others} come nearer" in title


@pytest.mark.parametrize(
    ("unlike", "words"),
    [
        (("casual", "strong", "second strong"), r" depends on .*in 62 to 72 %"),
        (("casual",), " may depend on"),
        ((), " is not known to depend"),
    ],
)
def test_the_tower_decides_only_what_is_known_to_differ_between_towers(unlike, words):
    def fields(row):
        away = 10.0 if row.tower == "rulebook" and row.play in unlike else 0.0
        return (60.0 + away, 64.0 + away) if row.id.startswith("tower.outcome.4p.success-against-players/") else None

    assert re.search(words, finding_with("tower", fields).title)
