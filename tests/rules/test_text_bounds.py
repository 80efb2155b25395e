"""What is looked at before a parser gets a text: bounds that ordinary files do not meet, whatever their strings say."""

import json
import re
import time
import tomllib
from pathlib import Path

import pytest

from tests.test_architecture import ROOT, code_files, gather
from wallsim.rules.files import MOST_TOML_BYTES, csv_rows, normal_text, read_json, read_toml

BRACKETS = "[" * 100
SOUND = [
    f'a = "{BRACKETS}"', f"a = '{BRACKETS}'", f'a = """{BRACKETS}\n{BRACKETS}"""', f"# {BRACKETS}\na = 1",
    'a = """x"""""', "a = '''x'''''", 'a = "\\""', 'a = "\\\\" # [', "a = 'x' # \"", f'"{"k" * 200}" = 1',
    "seed = 0x5e2345", "a = 1e199", "a = -1.5E-300", "a = 1_000_000", "a = [[[[1]]]]", "a = 1979-05-27T07:32:00Z",
    "a.b.c.d.e.f.g.h = 1", f"a = '{'.' * 1000}'", 'a."b.c".d = 1', "a = 3.0e10", 'x = "1e999"',
]  # fmt: skip


@pytest.mark.parametrize("text", SOUND)
def test_an_ordinary_text_is_read_as_the_parser_reads_it(text):
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".".join("a" * 17) + " = 1", "line 1: a key with dots has more than 16 parts"),
        ("b = 1\n[" + " . ".join(["'a'"] * 17) + "]", "line 2: a key with dots has more than 16 parts"),
        ("a = " + "[" * 33 + "]" * 33, "is nested more than 32 deep"),
        ("a = " + "{a=" * 33 + "1" + "}" * 33, "is nested more than 32 deep"),
        ("a = " + "9" * 101, "a number or a key has more than 100 characters"),
        ("k" * 101 + " = 1", "a number or a key has more than 100 characters"),
        ("a = 1e400", "a number is too large: 1e400"),
        ("a = 1.5E+0400", "a number is too large"),
        ("".join(f"k{k}=1\n" for k in range(20_001)), "has more than 20,000 keys, tables and items"),
        ("#" * (MOST_TOML_BYTES + 1), f"has more than {MOST_TOML_BYTES:,} bytes"),
    ],
)
def test_a_text_beyond_a_bound_is_refused_before_it_is_parsed(text, words):
    with pytest.raises(ValueError, match=words.replace("+", r"\+")):
        read_toml(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 33 + "]" * 33, "is nested more than 32 deep"),
        ('{"a":' * 33 + "1" + "}" * 33, "is nested more than 32 deep"),
        ("9" * 101, "a number or a key has more than 100"),
        ("[1e400]", "a number is too large"),
    ],
)
def test_json_has_the_same_bounds(text, words):
    for source in (text, text.encode()):
        with pytest.raises(ValueError, match=words):
            read_json(source)


@pytest.mark.parametrize("value", ["[" * 500, "9" * 500, '"' * 200, "\\" * 201, "1e999", ["[", '"', "]"] * 50])
def test_what_stands_in_strings_of_json_has_none(value):
    assert read_json(json.dumps({"a": value})) == {"a": value}


LONG = (
    '"' + '\\"' * 500_000, "'''" * 300_000, '"""\\' * 250_000, "1." * 500_000, ". " * 500_000, "[]" * 500_000,
    "a" * 1_000_000, "'#" * 500_000, "1e" * 500_000, "e\u0301" * 300_000,
)  # fmt: skip


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:6]))
def test_looking_takes_a_time_that_grows_with_the_text_alone(text):
    began = time.process_time()
    for read in (read_toml, read_json):
        with pytest.raises(ValueError, match=r"."):
            read(text)
    assert time.process_time() - began < 5


def test_accents_are_put_in_order_as_far_as_a_letter_has_any():
    refused = []
    assert normal_text("u\u0308".encode(), lambda *words: refused.append(words)) == "ü"
    assert not refused
    assert normal_text(("a" + "\u0316\u0301" * 16).encode(), lambda *words: refused.append(words)) is None
    assert refused == [(0, "a letter has more than 30 accents")]
    assert normal_text(("\u0928\u093f" * 100).encode(), lambda *words: refused.append(words)) is not None


def test_rows_of_csv_are_numbered_by_their_first_lines_and_end_where_it_is_none():
    refused = []
    rows = list(csv_rows('a,b\n"1\n2",3\n\n4,5\n"', lambda *words: refused.append(words)))
    assert rows == [(1, ["a", "b"]), (2, ["1\n2", "3"]), (5, ["4", "5"])]
    assert refused[0][0] == 6
    assert list(csv_rows("," * 200, lambda *words: refused.append(words))) == []
    assert refused[1] == (1, "201 fields; at most 200 are allowed")


# Files that parse what comes from nobody else: this package's own processes and texts, a register, its own metadata.
PARSERS = re.compile(r"\b(json\.loads?|tomllib\.loads?|csv\.(Dict)?[rR]eader)\(")
OWN_TEXTS = {
    "wallsim/rules/files.py", "wallsim/report/map/document.py", "wallsim/report/html/translation.py",
    "wallsim/api/game_review/standing.py",
    "wallsim/searches/teaching/teaching.py", "wallsim/policies/exploitability.py", "wallsim/spreadsheet.py",
}  # fmt: skip


def unbounded_parsers(path: Path, text: str) -> list[str]:
    """Lines that parse a text past the functions that have bounds."""
    if path.relative_to(ROOT).as_posix() in OWN_TEXTS:
        return []
    return [f"line {n}: {line.strip()}" for n, line in enumerate(text.splitlines(), 1) if PARSERS.search(line)]


def test_files_from_others_are_parsed_by_the_functions_that_have_bounds():
    assert not gather(code_files("wallsim"), unbounded_parsers)
    found = unbounded_parsers(ROOT / "wallsim" / "x.py", "a = json.loads(b)\nread_json(b)")
    assert found == ["line 1: a = json.loads(b)"]
