"""docs/custom-policies.md is true: its files are the examples, its commands run, its messages are those given."""

import re
import shlex
import shutil
from importlib import import_module

import pytest

from tests.cli.commands import refusal, wallsim
from tests.docs.pages import DOCS, code_blocks
from tests.naive.rng import JIT
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.record import MIND
from wallsim.rules.record import RULES
from wallsim.state.game import GAME

PAGE = (DOCS / "custom-policies.md").read_text("utf-8")
EXAMPLES = DOCS / "examples"
BLOCKS = code_blocks(DOCS / "custom-policies.md")


def blocks(kind):
    """The blocks of a kind, in order."""
    return [text for estimate, text in BLOCKS if estimate == kind]


@pytest.fixture
def here(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_files_it_shows_are_the_examples():
    files = {"toml": ("cautious.toml", "seasonal.toml", "drafter.toml"), "python": ("hothead.py",)}
    for kind, names in files.items():
        assert blocks(kind) == [(EXAMPLES / name).read_text("utf-8") for name in names]


def test_the_examples_are_what_it_says_they_are():
    cautious, hothead = read_policy(EXAMPLES / "cautious.toml"), read_policy(EXAMPLES / "hothead.py")
    assert cautious.weights["noise"] == 0.5
    assert set(read_policy(EXAMPLES / "seasonal.toml").phases) == {"year two", "fall 2"}
    assert list(hothead.answers) == ["attack", "place", "bid"]
    assert hothead.weights == {**load_policy("balanced").weights, "attack": 1.2, "threat": 0.3}
    assert re.search(r"three\s+of\s+the\s+twenty\s+questions", PAGE)


@pytest.mark.skipif(not JIT, reason="answers are machine code")
def test_its_commands_run(here):
    lines = [line for text in blocks("console") for line in text.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert line.startswith("$ wallsim ")
        result = wallsim(*shlex.split(line)[2:])
        assert result.exit_code == 0, f"{line}\n{result.output}{result.exception or ''}"
    assert {path.name for path in (here / "results").iterdir()} == {"cautious", "hothead", "hothead-3.txt"}


@pytest.mark.skipif(not JIT, reason="answers are machine code")
@pytest.mark.parametrize(
    "switches",
    [
        ["--edition", "1e"],
        ["--switch", "combat=must", "--setup", "draft", "--expansions", "all"],
    ],
)
def test_the_examples_pass_their_check_in_every_game(here, switches):
    words = ["--policies", "docs/examples/hothead.py,docs/examples/cautious.toml,balanced,random", "--games", "300"]
    result = wallsim("run", *words, *switches, "--check-policies", "--out", "run")
    assert result.exit_code == 0, result.output


@pytest.mark.skipif(not JIT, reason="answers are machine code")
def test_the_message_it_shows_is_that_of_the_slip_it_describes(here, monkeypatch):
    monkeypatch.setattr(
        import_module("wallsim.play.compile_progress"), "_QUIET_SECONDS", 600.0
    )  # what a slow machine says besides
    right, wrong = re.findall(r"`(game\.army\[county\][^`]*)` in place of `([^`]*)`", PAGE)[0][::-1]
    path = here / "docs" / "examples" / "hothead.py"
    text = path.read_text("utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), "utf-8")
    command = next(line for line in blocks("console")[1].splitlines() if "hothead.py" in line)
    assert [refusal(*shlex.split(command)[2:])] == blocks("text")


def test_all_questions_stand_at_its_end():
    rows = ["| question | details | returns | answer |", "|---|---|---|---|"]
    for question in QUESTIONS:
        details = ", ".join(f"`{detail}`" for detail in question.details) or "–"
        returns = "a number" if question.returns else "–"
        rows.append(f"| `{question.name}` | {details} | {returns} | {question.answer} |")
    assert PAGE.rstrip("\n").endswith("\n".join(rows))


def test_the_fields_it_names_are_there():
    known = {"game": set(GAME.names), "rules": set(RULES.names), "mind": set(MIND.names)}
    named = re.findall(r"`(game|rules|mind)\.(\w+)", PAGE)
    table = re.findall(r"^\| `(game|rules|mind)` \| (.*?) \|", PAGE, re.MULTILINE)
    fields = [(record, field) for record, text in table for field in re.findall(r"`(\w+)`", text)]
    assert min(len(named), len(fields)) > 10
    assert [(record, field) for record, field in named + fields if field not in known[record]] == []
