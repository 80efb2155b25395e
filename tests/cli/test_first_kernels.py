"""With an empty cache every command says that it compiles before it does, and refuses wrong input before that."""

import shutil

import pytest
import typer

from tests.cli.forked_commands import COMPILES, first_kernels
from tests.cli.test_games import wallsim
from tests.naive.rng import JIT
from tests.test_architecture import ROOT
from wallsim.cli import app

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="nothing is compiled")]

# Every command, with input that it takes, and whether it compiles.
COMPILING = {
    "advise": ("advise game.toml", "advise position.txt"),
    "bench": ("bench",),
    "exploit": ("exploit random --out new --minutes 0.01",),
    "learn": ("learn --policies random --out new --games 100",),
    "openings": ("openings run --forced 20",),
    "policy compare": ("policy compare balanced,plain",),
    "policy show": ("policy show balanced", "policy show balanced --moves 30 --traces 30"),
    "replay": ("replay run",),
    "review": ("review evening.txt", "review evening.txt --advise 0.1", "review --from run"),
    "run": ("run --policies random --games 10 --out new", "run game.toml --dry-run"),
    "study": ("study price --quick --out new",),
    "teach": ("teach balanced --value casual-4p --out new",),
    "tournament": ("tournament random,plain --blocks 3 --out new",),
    "tower fit": ("tower fit casts.csv",),
    "tower show": ("tower show",),
    "tower simulate": ("tower simulate", "tower simulate --protocol game"),
    "trace": ("trace --policies random",),
    "tune": ("tune balanced --out new --generations 1",),
    "verify": ("verify run --replay 1",),
    "warm": ("warm",),
}
OTHERS = {
    "battle odds": ("battle odds",),
    "board check": ("board check board",),
    "board map": ("board map --out map.svg",),
    "codebook": ("codebook",),
    "compare": ("compare run run",),
    "figures": ("figures price",),
    "init": ("init new.toml",),
    "lineups": ("lineups",),
    "merge": ("merge new run",),
    "openings": ("openings run --out new.csv",),
    "policies": ("policies",),
    "repair": ("repair run",),
    "report": ("report run",),
    "rules": ("rules",),
    "runs": ("runs .",),
    "summary": ("summary run",),
    "towers": ("towers",),
    "verify": ("verify run",),
}
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
    for words in (
        ("run", "--policies", "random", "--games", "60", "--plans", "--out", str(folder / "run")),
        ("tower", "simulate", "--casts", "60", "--out", str(folder / "casts.csv")),
    ):
        assert wallsim(*words).exit_code == 0
    return folder


def leaves(command, path=()):
    """The commands of a group that do something, by name."""
    commands = getattr(command, "commands", None)
    if commands is None or command.invoke_without_command:
        yield " ".join(path), command
    for name, inner in (commands or {}).items():
        yield from leaves(inner, (*path, name))


ALL = dict(leaves(typer.main.get_command(app)))


def test_every_command_is_here():
    assert set(COMPILING) | set(OTHERS) | ELSEWHERE == set(ALL)


@pytest.mark.one_in(2)
def test_a_command_that_compiles_says_so_first(inputs):
    compiling = [words for each in COMPILING.values() for words in each]
    others = [words for each in OTHERS.values() for words in each]
    ended = first_kernels(inputs, [words.split() for words in (*compiling, *others)])
    for words, (status, said) in zip(compiling, ended, strict=False):
        assert status == COMPILES, (words, said)
        assert "Compiling the rules, the tower and the policies" in said, (words, said)
    for words, (status, said) in zip(others, ended[len(compiling) :], strict=True):
        assert status == 0, (words, said)


def wrong_inputs(name):
    """A command with each of its options that takes more than any text, and a value that is none."""
    words = COMPILING[name][0].split()
    for parameter in ALL[name].params:
        option = parameter.opts[-1]
        if not option.startswith("--") or getattr(parameter, "is_flag", False) or option in TEXTS:
            continue
        if option in words:
            place = words.index(option) + 1
            yield [*words[:place], WRONG, *words[place + 1 :]]
        else:
            yield [*words, option, WRONG]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", COMPILING)
def test_wrong_input_is_refused_before_anything_is_compiled(inputs, name):
    commands = list(wrong_inputs(name))
    for words, (status, said) in zip(commands, first_kernels(inputs, commands), strict=True):
        assert status == 2, (words, said)
        assert "Traceback" not in said, (words, said)
