"""The page of the rules: every rule number of the project has an anchor there, and the page agrees with the code."""

import csv
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from wallsim.rules import terms
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.ruleset import SWITCHES, Ruleset

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
ANCHORS = re.findall(r'<a id="([^"]*)"></a>', PAGE)
FOLDERS = ("wallsim", "tests", "data", "docs", "analyses")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
ENDINGS = {".csv", ".md", ".py", ".toml"}

# A rule number is a word of its own. One that fills a quoted string, such as the line-up "L3", is a value.
NUMBER = r"(?:B\d(?:\.\d{1,2})?|[AELMNV]\d{1,2})"
ALONE = re.compile(rf"""(?<![\w.#/-])(?!(?<=")\w+")(?!(?<=')\w+'){NUMBER}(?!\w|\.\d|-[a-z0-9])""")
RANGE = re.compile(rf"(?<![\w.#/-])({NUMBER})\]?(?: ?[–-] ?| to | ?\.\.\. ?)\[?({NUMBER})(?!\w|\.\d)")


def anchor(number):
    """The anchor of a rule number: `b4-2` of B4.2."""
    return number.lower().replace(".", "-")


def between(first, last):
    """All numbers from first to last, which belong to one chapter: B5.1 to B5.3, or the chapters B5 to B7."""
    stem, start = re.fullmatch(r"(.*?)(\d+)", first).groups()
    other, end = re.fullmatch(r"(.*?)(\d+)", last).groups()
    return [f"{stem}{n}" for n in range(int(start), int(end) + 1)] if stem == other else [first, last]


def rule_numbers(text):
    """The set of rule numbers that a text refers to, ranges with all that lies between."""
    numbers = set(ALONE.findall(text))
    for first, last in RANGE.findall(text):
        numbers.update(between(first, last))
    return numbers


def without_anchor(text):
    """The rule numbers in a text that lead nowhere on the page, in order."""
    return sorted(number for number in rule_numbers(text) if anchor(number) not in ANCHORS)


def texts():
    """Every file of the project that may refer to a rule, as (path from the root, text); this one has bad examples."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in ENDINGS]
    for path in [*paths, *(ROOT / name for name in PAGES)]:
        if path != Path(__file__).resolve():
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def section(letter):
    """The text of a chapter."""
    return re.search(rf'^<a id="{letter}"></a>$(.*?)(?=^<a id="\w+"></a>$|^## How|\Z)', PAGE, re.M | re.S).group(1)


def rows(text):
    """The rows of a text's tables as lists of cells, without code marks."""
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", text, re.M)]


NUMBERS = {  # by text
    "# B3.1 B3.2 E3 A14": "B3.1 B3.2 E3 A14",
    "is a duty [A7]: see `B5.8`": "A7 B5.8",
    "(B6.3 [A8], M1, M3 to M5) and (V1-V3)": "B6.3 A8 M1 M3 M4 M5 V1 V2 V3",
    "the open points [A1] ... [A3]": "A1 A2 A3",
    "a whole game (B0 to B2)": "B0 B1 B2",
    '"E6: seat 0 parries" and r"(V8"': "E6 V8",
    "noqa: E402, B023, digest 4fA7b9e1, B6f0, 9c.B4.2, B1.234, run-A4": "",
    """line-ups ABCD, "L3" and 'A4', seat A, version 1.A2, rules.md#B4 or docs/M2""": "",
}
NOWHERE = {  # those that are no rule, by text
    "(B4.2, B4.9)": "B4.9", "[A99]": "A99", "B8": "B8", "V1–V10": "V10 V9", "E0 L3": "E0 L3",
}  # fmt: skip


@pytest.mark.parametrize("text", [*NUMBERS, *NOWHERE])
def test_numbers_are_found_in_all_their_forms_and_those_that_are_no_rule_noticed(text):
    assert rule_numbers(text) >= set(NUMBERS.get(text, "").split())
    assert text in NOWHERE or rule_numbers(text) == set(NUMBERS[text].split())
    assert without_anchor(text) == NOWHERE.get(text, "").split()


def test_every_rule_number_of_the_project_leads_to_an_anchor():
    code = [rule_numbers(text) for path, text in texts() if path.startswith(("wallsim", "tests"))]
    assert {path: numbers for path, text in texts() if (numbers := without_anchor(text))} == {}
    assert {"B4.2", "A7", "V3", "E5", "L1", "M2", "B0", "B7"} <= set().union(*code)
    assert len(set().union(*code)) > 80


def test_every_anchor_is_unique_and_stands_at_its_rule_or_chapter():
    assert [name for name, times in Counter(ANCHORS).items() if times > 1] == []
    rules = re.findall(r'^- <a id="([^"]+)"></a>\*\*([A-Z][\d.]*\d)\b', PAGE, re.M)
    chapters = re.findall(r'^<a id="([^"]+)"></a>\n\n## ([A-Z]\d?) ', PAGE, re.M)
    assert [name for name, number in rules + chapters if name != anchor(number)] == []
    assert sorted(name for name, _ in rules + chapters) == sorted(ANCHORS)


def test_no_number_is_left_out_within_a_chapter():
    for name, following in pairwise(anchor for anchor in ANCHORS if re.search(r"\d", anchor)):
        stem, n = re.fullmatch(r"(.*?)(\d+)", name).groups()
        other, m = re.fullmatch(r"(.*?)(\d+)", following).groups()
        assert other != stem or int(m) == int(n) + 1, f"{name}, {following}"


def test_every_link_on_the_page_leads_somewhere():
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", PAGE, re.M)}
    targets = re.findall(r"\]\(#([^)]*)\)", PAGE)
    assert set(targets) <= {*ANCHORS, *headings}
    defined = re.findall(r"^\[([^\]]+)\]: #(\S+)$", PAGE, re.M)
    assert [(number, target) for number, target in defined if target != anchor(number) or target not in ANCHORS] == []
    used = set(re.findall(rf"\[({NUMBER})\](?![:(])", PAGE))
    assert used == {number for number, _ in defined}


def switches_on_the_page():
    """What chapter S says: mark -> (anchor, name, default, alternatives, rules), as they are written."""
    form = r'<a id="(a\d+)"></a>\*\*(A\d+)\*\* `(\w+)`: default `([^`]+)`, else (.*?)\. Rules: (.*?)\. '
    result = re.findall(form, re.sub(r"\s+", " ", section("s")))
    return {mark: (name, field, default, others, rules) for name, mark, field, default, others, rules in result}


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.mark)
def test_a_switch_has_its_name_default_values_and_rule(switch):
    name, field, default, others, rules = switches_on_the_page()[switch.mark]
    assert (name, field, default) == (switch.mark.lower(), switch.field, str(getattr(Ruleset(), switch.field)))
    assert switch.rule in re.findall(rf"\[({NUMBER})\]", rules)
    values = re.findall(r"`([^`]+)`", others)
    if switch.field != "bank":
        assert (default, *values) == get_args(get_type_hints(Ruleset)[switch.field])
    else:
        lowest, highest = map(int, values)
        sound = [Ruleset(bank=bank).errors() == [] for bank in (lowest - 1, lowest, highest, highest + 1)]
        assert sound == [False, True, True, False]


def test_the_switches_are_those_of_the_program_and_marked_at_their_rules():
    assert list(switches_on_the_page()) == [switch.mark for switch in SWITCHES]
    assert [switch.mark for switch in SWITCHES] == [f"A{n}" for n in range(1, len(SWITCHES) + 1)]
    for switch in SWITCHES:
        text = re.search(rf'^- <a id="{anchor(switch.rule)}"></a>(.*?)(?=^- |^$)', PAGE, re.M | re.S).group(1)
        assert f"[{switch.mark}]" in text, switch.rule


def test_the_amounts_are_those_of_the_code():
    listed = [(name, int(value), *map(int, bounds.split("–"))) for name, _, value, bounds, _ in rows(section("n"))[2:]]
    assert sorted(listed) == sorted((each.name, each.printed, each.low, each.high) for each in AMOUNTS)
    assert all(low <= printed <= high for _, printed, low, high in listed)


def test_the_events_are_those_of_the_board():
    with (ROOT / "data" / "board" / "events.csv").open(encoding="utf-8", newline="") as file:
        cards = Counter((row["effect"], int(row["winter_grain_loss"])) for row in csv.DictReader(file))
    events = [row for row in rows(section("b1")) if row[0] in terms.EFFECTS]
    assert Counter((row[0], int(loss)) for row in events for loss in row[1].split(",")) == cards
