"""Characters that act on a terminal are shown as escapes, and everything that is printed passes the place that does."""

import ast
import json
import unicodedata

import pytest

from tests.test_architecture import code_files, gather
from wallsim.escaping import escaped, escaped_line, in_shell, is_printable

KEPT = "\t\n"
PRINTERS = {  # the only files that write to a terminal
    "wallsim/cli/terminal_output.py",
    "wallsim/cli/output.py",
    "wallsim/__main__.py",  # a fixed text
    "wallsim/cli/forced_exit.py",  # a fixed text that takes away a progress bar
    "folder/commit.py",  # into files
    "report/tables/console.py",
    "tower/sightings.py",  # names of presets, and numbers
    ".ci/makers/mends.py",
    ".ci/makers/allocation.py",  # two whole numbers
}


def test_every_control_character_and_every_half_character_becomes_an_escape():
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") and character not in KEPT:
            assert escaped(character).isascii(), hex(code)
            assert escaped(character).isprintable(), hex(code)
            assert escaped(f"a{character}b").startswith("a\\")
            assert not is_printable(character)


def test_every_character_that_turns_the_direction_of_text_becomes_an_escape():
    turning = [chr(c) for c in range(0x110000) if unicodedata.bidirectional(chr(c)) in (
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"
    )]  # fmt: skip
    assert len(turning) == 9
    assert escaped("".join(turning)) == "\\u202a\\u202b\\u202c\\u202d\\u202e\\u2066\\u2067\\u2068\\u2069"


def test_characters_that_cannot_be_seen_and_those_for_private_use_become_escapes():
    for code in (0xAD, 0x115F, 0x180E, *range(0x200B, 0x2010), *range(0x2060, 0x2070), 0x3164, 0xFEFF, 0xE0041):
        assert escaped(f"a{chr(code)}b").isascii(), hex(code)
        assert not is_printable(chr(code))
    for code in (0xE000, 0xF8FF, 0xF0000, 0x10FFFD):
        assert escaped(chr(code)).isascii(), hex(code)
        assert not is_printable(chr(code))
        assert escaped_line(chr(code), marks=True) == chr(code)
    assert escaped("\U000f0000") == "\\udb80\\udc00", "as JSON has it"


@pytest.mark.parametrize(
    ("path", "word"), [("a b", "'a b'"), ("-x", "./-x"), ("a'b", "'a'\"'\"'b'"), ("$(x)", "'$(x)'")]
)
def test_a_path_in_a_command_is_one_word_and_no_option(path, word):
    assert in_shell(path) == word


def test_letters_of_all_languages_stay():
    for text in ("Böhmen", "漢字", "Ελλάδα", "עברית", "عربي", "🏰", "a\u0301", "x\u00a0y", "❤\ufe0f", "3 × 4 – 5 ± 1"):
        assert escaped(text) == escaped_line(text) == text
        assert is_printable(text)


def test_newlines_and_tabs_stay_in_a_text_but_not_in_a_line():
    assert escaped("a\n\tb\r\n") == "a\n\tb\\x0d\n"
    assert escaped_line("a\n\tb\r\n") == "a\\n\\tb\\x0d\\n"
    assert not is_printable("a\nb")
    assert not is_printable("a\tb")


def test_what_was_shown_once_is_shown_the_same_again():
    shown = escaped("".join(map(chr, range(0x300))))
    assert escaped(shown) == shown


def test_json_stays_the_same_json():
    value = {"".join(map(chr, range(0x2100))): "\u202e\udc80\x1b\ue000\U000f0001\U000e0041"}
    text = json.dumps(value, ensure_ascii=False)
    assert escaped(text) != text
    assert json.loads(escaped(text)) == value


def printing_errors(path, source):
    """Calls by which a module writes to a terminal, past the functions that show acting characters as escapes."""
    errors = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            by_hand = called.startswith(("sys.stdout.w", "sys.stderr.w", "sys.__std", "os.write"))
            if called in ("print", "Console", "typer.echo", "typer.secho", "ArgumentParser") or by_hand:
                errors.append(f"line {node.lineno}: {called}")
    return errors


def test_nothing_is_printed_past_the_functions_that_make_it_visible():
    files = [path for path in code_files("wallsim", "analyses") if "/".join(path.parts[-3:]) not in PRINTERS]
    files = [path for path in files if "/".join(path.parts[-2:]) not in PRINTERS]
    assert not gather(files, printing_errors)


@pytest.mark.parametrize("line", ["print(x)", "sys.stdout.write(x)", "Console()", "typer.echo(x)", "os.write(1, x)"])
def test_the_rule_finds_what_is_printed_by_hand(line):
    assert printing_errors(None, f"def f(x):\n    {line}\n") == [f"line 2: {line.split('(')[0]}"]
    assert printing_errors(None, "echo(x)\nconsole.print(x)\nmake_console()\n") == []
