"""The sheet of a group: its numbers are those of the register and of the pages, and its fixes are known to help."""

import re
from itertools import combinations

import pytest

from tests.analyses.numbers_of_pages import text_of, tree_of, undeclared
from tests.cli.commands import refusal
from tests.cli.commands import wallsim as command
from tests.refusals import assert_names
from wallsim.analyses.expansions.study import NAMES as EXPANSION_NAMES
from wallsim.analyses.lineups.games import KINDS, PRINTED
from wallsim.analyses.lineups.study import imbalances, is_fixed, nearest
from wallsim.analyses.strategy_report import chapters, group_sheet, html, pages
from wallsim.analyses.tiles.study import bids
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.html.translation import translated
from wallsim.report.tables.estimates import number
from wallsim.report.tables.traced import unmarked
from wallsim.rules.terms import EXPANSIONS
from wallsim.studies.finding import MOST_ROWS
from wallsim.studies.scope import CASUAL_TABLE, SIZES

SETS = [chosen for count in range(len(EXPANSIONS) + 1) for chosen in combinations(EXPANSIONS, count)]
OF_A_SIZE = r"\.(\d)p\b"


@pytest.fixture(scope="module")
def found():
    return chapters.results(group_sheet.STUDIES)


@pytest.fixture(scope="module")
def sheets(found):
    """The sheets by number of players and expansions."""
    return {(size, chosen): group_sheet.sheet(found, size, chosen) for size in SIZES for chosen in SETS}


def rows_in(part):
    """The rows of the table of a part of a page, by their first cells."""
    return {text_of(row[0]): [text_of(cell) for cell in row[1:]] for row in part.findall(".//tbody/tr")}


def test_every_number_is_that_of_its_id_for_the_group_s_size(found, sheets):
    known = {key: figure for result in found.values() for key, figure in result.figures.items()}
    changes = [part for size in SIZES for kind in KINDS for part in group_sheet.parts_of(size, kind)]
    for (size, _), page in sheets.items():
        numbers = tree_of(page).findall(".//data")
        assert len(numbers) > 60
        for each in numbers:
            figure = known[each.get("data-id")]
            assert float(each.get("value")) == pytest.approx(figure.value)
            assert each.get("data-unit") == figure.unit
            assert figure.id.startswith("events.") or re.search(OF_A_SIZE, figure.id)[1] == str(size)
        assert undeclared(page, *changes) == []


def test_line_ups_and_their_imbalance_are_those_of_the_pages(found, sheets):
    figures, tiles = found["lineups"].figures, found["tiles"]
    for (size, _), page in sheets.items():
        parts = [(text_of(each.find("h2")), each) for each in tree_of(page).iter() if each.find("h2") is not None]
        shown = {heading: rows_in(part) for heading, part in parts}
        lineups, bid = (shown[each] for each in shown if each.startswith(("How unfair", "Bid")))
        kinds = [PRINTED, *group_sheet.fixes(figures, size), *group_sheet.nearest_fix(figures, size)][:2]
        spreads = [figures.of("imbalance", kind, players=size, cell=CASUAL_TABLE).value for kind in kinds]
        assert [float(text.split(" ± ")[0]) for text in lineups["imbalance"]] == pytest.approx(spreads, abs=0.051)
        for letter, share in pages.shares_of(figures, size, CASUAL_TABLE).items():
            assert lineups[letter][0].split(" ± ")[0] == unmarked(pages.share_words(share)).split(" ± ")[0]
        expected = bids(tiles.figures, tiles.design, size).values()
        assert list(bid.values()) == [list(map(unmarked, row)) for row in expected]
        assert sum(len(rows) == MOST_ROWS for rows in shown.values()) == 1


def test_fixes_that_make_the_size_fair_are_listed_the_simplest_first_or_the_nearest_with_its_imbalance(found, sheets):
    figures = found["lineups"].figures
    for size in SIZES:
        fair = [kind for kind in KINDS if is_fixed(imbalances(figures, size, CASUAL_TABLE.play, kind))]
        printed = is_fixed(imbalances(figures, size, CASUAL_TABLE.play, PRINTED))
        fair, near = ([] if printed else fair), group_sheet.nearest_fix(figures, size)
        assert bool(near) <= (not fair and not printed)
        assert near in ([], [nearest(figures, size, CASUAL_TABLE.play)])
        fix, spreads, is_fair = group_sheet.fairer(figures, size)
        tree = tree_of(sheets[size, ()])
        listed = [text_of(each) for each in tree.findall(".//ul")[0]] if fair or near else []
        assert len(listed) == len(fair) + len(near)
        assert fair == group_sheet.fixes(figures, size)
        for text, kind in zip(listed, [*fair, *near], strict=True):
            assert all(part in text for part in group_sheet.parts_of(size, kind))
        assert len(spreads) == 1 + bool(listed)
        assert not listed or listed[0].startswith(unmarked(spreads[1]))
        assert not listed or listed[0].endswith(" ".join(f"{part}." for part in fix))
        assert bool(listed) != ("Play the printed line-ups" in sheets[size, ()])
        assert bool(near) == ("No simple fix" in sheets[size, ()]) == (not is_fair)


def test_what_expansions_change_is_shown_together_where_it_was_played(found, sheets):
    at = found["expansions"].figures.of
    for (size, chosen), page in sheets.items():
        tree = tree_of(page)
        parts = [
            each for each in tree.iter() for heading in each.findall("h2") if "expansions change" in text_of(heading)
        ]
        assert len(parts) == bool(chosen)
        assert all((name in text_of(tree)) == (each in chosen) for each, name in EXPANSION_NAMES.items())
        for shown in map(rows_in, parts):
            assert len(shown) == 5 + size
            assert {len(row) for row in shown.values()} == {2 if len(chosen) == 2 else 1}
            name = chosen[0] if len(chosen) < 3 else "all three"
            change = at("group-change-of-lineup", f"{name} B", players=size, cell=CASUAL_TABLE)
            [cell] = [row[0] for head, row in shown.items() if head.endswith("line-up B")]
            assert cell.startswith(unmarked(number(change.value, 1, "+")))
        assert ("not measured together" in page) == (len(chosen) == 2)


def test_every_sheet_is_whole_in_german(sheets):
    values = r'<data value="([^"]+)" data-id="([^"]+)"'
    for page in sheets.values():
        german = translated(page, "de", whole=True)  # an error for a text without German
        assert german.startswith('<!doctype html>\n<html lang="de">')
        assert sorted(re.findall(values, german)) == sorted(re.findall(values, page))


def test_the_command_writes_the_sheet_of_a_group(tmp_path):
    out, group = tmp_path / "sheet.html", ("--players", "3", "--expansions", "leaders,court", "--lang", "de")
    assert str(out) in command("report", *group, "--out", str(out)).output
    assert out.read_bytes().decode() == group_sheet.written_sheet(3, ("court", "leaders"), "de")
    assert_names(out.read_text("utf-8"), ": 3 Personen</title>", "der Kaiserhof</b>, <b>die Feldherren")


@pytest.mark.parametrize(("given", "names"), [
    (("--players", "6"), ["players", "6", "3, 4, 5"]),
    (("--expansions", "harbour"), ["expansions", "harbour", "court, landsknechte, leaders"]),
    (("--players", "4", "--cards"), ["--cards", "whole"]),
    (("--players", "4", "--url", "https://x.org"), ["--url", "whole"]),
    (("--players", "4", "--lang", "fr"), ["--lang", "fr", "de, en"]),
    ((".", "--players", "4"), ["--players", "FOLDER"]),
])  # fmt: skip
def test_what_a_group_cannot_be_is_rejected(tmp_path, given, names):
    out = tmp_path / "sheet.html"
    assert_names(refusal("report", *given, "--out", str(out)), *names)
    assert not out.exists()
    assert "--out" in refusal("report", "--players", "4", "--out", str(tmp_path / "sheet.docx"))


def test_pages_say_in_both_languages_from_which_engines_figures_were_carried(monkeypatch):
    engines = {"one": ENGINE_VERSION}
    monkeypatch.setattr(html, "published_studies", lambda: tuple(engines))
    monkeypatch.setattr(html, "read_played", lambda study, folder: {"engine": engines[study]})
    for earlier, named in (({}, []), ({"two": 2}, [2]), ({"two": 2, "three": 1}, [1])):
        engines |= earlier
        words = html.engine_words()
        assert_names(words, ENGINE_VERSION, *named)
        assert ("carried" in words) == bool(named)
        for name in ("wallsim", "wallsim 1.2.3"):
            german = translated(f"<p>{name}, {words}.</p>", "de", whole=True)  # an error for a text without German
            assert_names(german, f"Engine-Version {ENGINE_VERSION}", *named)
