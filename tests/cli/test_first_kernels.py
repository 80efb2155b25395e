"""With an empty cache every command says that it compiles before it does, and refuses wrong input before that."""

import shutil

import pytest
import typer

from tests.cli.commands import ROOT, done
from tests.cli.forked_commands import COMPILES, first_kernels
from tests.naive.rng import JIT
from wallsim.cli import app

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="nothing is compiled")]

# Commands with input that they take: those that compile for it, and those that do not.
COMPILING = """
advise game.toml; advise position.txt; bench; exploit random --out new --minutes 0.01;
learn --policies random --out new --games 100; openings run --forced 20; policy compare balanced,plain;
policy show balanced; policy show balanced --moves 30 --traces 30; replay run; review evening.txt;
review evening.txt --advise 0.1; review --from run; run --policies random --games 10 --out new;
run game.toml --dry-run; study price --quick --out new; teach balanced --value casual-4p --out new;
tournament random,plain --blocks 3 --out new; tower fit casts.csv; tower show; tower simulate;
tower simulate --protocol game; trace --policies random; tune balanced --out new --generations 1;
verify run --replay 1; warm
"""
OTHERS = """
battle odds; board check board; board map --out map.svg; codebook; compare run run; figures price; init new.toml;
lineups; merge new run; openings run --out new.csv; policies; repair run; report run; rules; runs .; summary run;
towers; verify run
"""
ELSEWHERE = {"lab"}  # JupyterLab
TEXTS = {"--out", "--name", "--title", "--note", "--scale", "--url"}  # options that take any text
WRONG = "no such/nonsense!"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """What the commands above are given, made with the cache of this process."""
    folder = tmp_path_factory.mktemp("inputs")
    for name in ("evening.txt", "position.txt"):
        shutil.copy(ROOT / "docs" / "examples" / name, folder)
    shutil.copytree(ROOT / "data" / "board", folder / "board")
    (folder / "game.toml").write_text('policies = "balanced"\ngames = 20\n', "utf-8")
    done("run", "--policies", "random", "--games", 60, "--plans", "--out", folder / "run")
    done("tower", "simulate", "--casts", 60, "--out", folder / "casts.csv")
    return folder


def leaves(command, path=()):
    """The commands of a group that do something, by name."""
    commands = getattr(command, "commands", None)
    if commands is None or command.invoke_without_command:
        yield " ".join(path), command
    for name, inner in (commands or {}).items():
        yield from leaves(inner, (*path, name))


ALL = dict(leaves(typer.main.get_command(app)))


def words_in(lines):
    """The words of each command in a text."""
    return [line.split() for line in lines.split(";")]


def name_of(words):
    """The name of a command, which may be in a group."""
    return next(name for name in (" ".join(words[:2]), words[0]) if name in ALL)


def test_every_command_is_here():
    assert {name_of(words) for lines in (COMPILING, OTHERS) for words in words_in(lines)} | ELSEWHERE == set(ALL)


def test_a_command_that_compiles_says_so_first(inputs):
    compiling, others = words_in(COMPILING), words_in(OTHERS)
    ended = first_kernels(inputs, [*compiling, *others])
    for words, (status, said) in zip(compiling, ended, strict=False):
        assert status == COMPILES, (words, said)
        assert "Compiling" in said, (words, said)
    for words, (status, said) in zip(others, ended[len(compiling) :], strict=True):
        assert status == 0, (words, said)


def wrong_inputs(words):
    """A command with each of its options that takes more than any text, and a value that is none."""
    for parameter in ALL[name_of(words)].params:
        option = parameter.opts[-1]
        if not option.startswith("--") or getattr(parameter, "is_flag", False) or option in TEXTS:
            continue
        if option in words:
            place = words.index(option) + 1
            yield [*words[:place], WRONG, *words[place + 1 :]]
        else:
            yield [*words, option, WRONG]


FIRST = {name_of(words): words for words in reversed(words_in(COMPILING))}
PARTS = 24  # of all options


@pytest.mark.one_in(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_wrong_input_is_refused_before_anything_is_compiled(inputs, part):
    commands = [wrong for name in sorted(FIRST) for wrong in wrong_inputs(FIRST[name])][part::PARTS]
    for words, (status, said) in zip(commands, first_kernels(inputs, commands), strict=True):
        assert status == 2, (words, said)
        assert "Traceback" not in said, (words, said)
