"""What is looked at before a parser gets a text: bounds that ordinary files do not meet, whatever their strings say."""

import json
import re
import time
import tomllib
from pathlib import Path

import pytest

from tests.refusals import assert_names, refused
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


NESTED, TOO_LONG = ["nested more than 32"], ["more than 100 characters"]


@pytest.mark.parametrize(
    ("read", "text", "names"),
    [
        (read_toml, ".".join("a" * 17) + " = 1", ["line 1: ", "16 parts"]),
        (read_toml, "b = 1\n[" + " . ".join(["'a'"] * 17) + "]", ["line 2: ", "16 parts"]),
        (read_toml, "a = " + "[" * 33 + "]" * 33, NESTED),
        (read_toml, "a = " + "{a=" * 33 + "1" + "}" * 33, NESTED),
        (read_toml, "a = " + "9" * 101, TOO_LONG),
        (read_toml, "k" * 101 + " = 1", TOO_LONG),
        (read_toml, "a = 1e400", ["too large", "1e400"]),
        (read_toml, "".join(f"k{k}=1\n" for k in range(20_001)), ["20,000 keys"]),
        (read_toml, "#" * (MOST_TOML_BYTES + 1), [f"{MOST_TOML_BYTES:,} bytes"]),
        (read_json, "[" * 33 + "]" * 33, NESTED),
        (read_json, '{"a":' * 33 + "1" + "}" * 33, NESTED),
        (read_json, "9" * 101, TOO_LONG),
        (read_json, "[1e400]", ["too large", "1e400"]),
    ],
    ids=lambda value: ascii(value[:20]) if isinstance(value, str | list) else value.__name__,
)
def test_a_text_beyond_a_bound_is_refused_before_it_is_parsed(read, text, names):
    for source in (text, text.encode()):
        with refused(*names, by=ValueError):
            read(source)


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
    errors = []

    def normal(text):
        return normal_text(text.encode(), lambda *words: errors.append(words))

    assert normal("u\u0308") == "ü"
    assert normal("\u0928\u093f" * 100) is not None
    assert not errors
    assert normal("a" + "\u0316\u0301" * 16) is None
    [(line, text)] = errors
    assert (line, "30 accents" in text) == (0, True)


def test_rows_of_csv_are_numbered_by_their_first_lines_and_end_where_it_is_none():
    errors = []

    def rows(text):
        return list(csv_rows(text, lambda *words: errors.append(words)))

    assert rows('a,b\n"1\n2",3\n\n4,5\n"') == [(1, ["a", "b"]), (2, ["1\n2", "3"]), (5, ["4", "5"])]
    assert rows("," * 200) == []
    (last, _), (first, text) = errors
    assert (last, first) == (6, 1)
    assert_names(text, "201 fields", "at most 200")


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
