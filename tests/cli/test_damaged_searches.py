"""Flipped bits in the files of searches and learning: verify names them, the same command repairs them."""

import json
import random
import shutil

import pytest

from tests.cli.searches import TINY, all_files, tiny, undisturbed
from wallsim.folder.verification import state_of, verify_results
from wallsim.searches.learning.learning import Games as LearningGames
from wallsim.searches.teaching.lessons import LessonGames
from wallsim.searches.tuning.evaluation import Games

RESULTS = {"tune": "tune.json", "exploit": "exploit.json", "learn": "value.json", "teach": "taught.json"}

CHUNKED = ("learn", "teach")  # they store chunks of games, and compute results from these alone
# Chunks of lessons and positions are played by code that takes a minute to compile.
COMMANDS = [pytest.param(command, marks=pytest.mark.slow if command in CHUNKED else ()) for command in TINY]


class Wholes(dict):
    """For each command the folder of its tiny search, made when it is needed, and what it printed when shown again."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def __missing__(self, command):
        folder = self.place.mktemp(command) / "x"
        tiny(command, folder)
        self[command] = folder, tiny(command, folder).stdout
        return self[command]


@pytest.fixture(scope="module")
def wholes(tmp_path_factory):
    """The finished tiny searches of this file; do not change them."""
    return Wholes(tmp_path_factory)


def flip(path, chance):
    """Change one random bit of a file."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def repaired_after_flip(command, wholes, folder, name, chance):
    """Flip a bit of a file in a copy of a folder: verify tells of it, and the same command shows the right result."""
    whole, shown = wholes[command]
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(whole, folder)
    flip(folder / name, chance)
    reported = verify_results(folder)
    assert any(name in error for error in reported), (command, name, reported)
    again = tiny(command, folder)
    assert again.stdout.replace(str(folder), str(whole)) == shown, (command, name)
    assert name in again.stderr, (command, name)
    assert undisturbed(folder, whole), (command, name)
    assert verify_results(folder) == []


@pytest.mark.one_in(10)
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("tune", "journal.jsonl"), ("tune", "tune.json"), ("tune", "curve.parquet"), ("tune", "checksums.json"),
        ("exploit", "journal.jsonl"), ("exploit", "exploit.json"), ("exploit", "curve.png"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("learn", "journal.jsonl"), ("learn", "positions/3p-00000.npz"), ("learn", "value.json"),
                ("teach", "journal.jsonl"), ("teach", "lessons/3p-00000.npz"), ("teach", "taught.json"),
                ("teach", "taught.toml"),
            )
        ),
    ],
)  # fmt: skip
def test_a_flipped_bit_is_found_and_repaired(wholes, tmp_path, command, name):
    repaired_after_flip(command, wholes, tmp_path / "x", name, random.Random(f"{command} {name}"))


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 40))
@pytest.mark.parametrize("command", COMMANDS)
def test_of_two_hundred_flips_each_is_found_and_repaired(wholes, tmp_path, command, first):
    names = sorted(all_files(wholes[command][0]))
    for number in range(first, first + 40):
        chance = random.Random(1000 + number)
        repaired_after_flip(command, wholes, tmp_path / "x", names[number % len(names)], chance)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_changed_result_is_computed_from_the_journal_and_nothing_of_it_is_played(
    wholes, tmp_path, command, monkeypatch
):
    whole, shown = wholes[command]
    shutil.copytree(whole, tmp_path / "x")
    path = tmp_path / "x" / RESULTS[command]
    data = path.read_text()
    digit = data.rindex('"share": 0.') + 11 if command not in CHUNKED else data.rindex("0.") + 2
    path.write_text(data[:digit] + ("1" if data[digit] != "1" else "2") + data[digit + 1 :])
    seeds = set()
    play = Games.play

    def noting(self, policies, tables, seed):
        seeds.add(seed)
        return play(self, policies, tables, seed)

    monkeypatch.setattr(Games, "play", noting)
    monkeypatch.setattr(LearningGames, "play", None)
    monkeypatch.setattr(LessonGames, "play", None)
    again = tiny(command, tmp_path / "x")
    assert again.stdout.replace(str(tmp_path / "x"), str(whole)) == shown
    assert f"{RESULTS[command]}: its bytes have changed" in again.stderr
    if command not in CHUNKED:
        assert json.loads(data)["seeds"]["search"] not in seeds


@pytest.mark.parametrize("command", ["tune", "exploit"])
def test_a_changed_weight_is_written_again_without_any_game(wholes, tmp_path, command, monkeypatch):
    whole, _ = wholes[command]
    shutil.copytree(whole, tmp_path / "x")
    [path] = (tmp_path / "x").glob("*.toml")
    path.write_text(path.read_text().replace("hold = 0", "hold = 1"))
    assert path.read_bytes() != (whole / path.name).read_bytes()
    assert verify_results(tmp_path / "x") == [f"{path.name}: its bytes have changed"]
    monkeypatch.setattr(Games, "play", None)
    again = tiny(command, tmp_path / "x", "--json")
    assert json.loads(again.stdout)["name"] == path.stem
    assert f"{path.name}: its bytes have changed" in again.stderr
    assert undisturbed(tmp_path / "x", whole)


@pytest.mark.parametrize("command", ["tune", "exploit"])
def test_a_damaged_line_of_a_finished_search_is_played_again_and_named_on_stderr(wholes, tmp_path, command):
    whole, shown = wholes[command]
    shutil.copytree(whole, tmp_path / "x")
    journal = tmp_path / "x" / "journal.jsonl"
    spoilt = journal.read_bytes().replace(b'"asked"', b'"baked"', 1)
    journal.write_bytes(spoilt)
    assert any("line 2" in error for error in verify_results(tmp_path / "x"))
    again = tiny(command, tmp_path / "x", "--json")
    json.loads(again.stdout)
    assert "line 2 is damaged" in again.stderr
    assert "journal.jsonl.damaged-1" in again.stderr
    assert (tmp_path / "x" / "journal.jsonl.damaged-1").read_bytes() == spoilt
    assert undisturbed(tmp_path / "x", whole)
    assert verify_results(tmp_path / "x") == []
    assert tiny(command, tmp_path / "x").stdout.replace(str(tmp_path / "x"), str(whole)) == shown


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_without_checksums_is_not_finished_and_is_computed_again(wholes, tmp_path, command):
    whole, shown = wholes[command]
    shutil.copytree(whole, tmp_path / "x")
    (tmp_path / "x" / "checksums.json").unlink()
    assert not state_of(tmp_path / "x").finished
    again = tiny(command, tmp_path / "x")
    assert again.stdout.replace(str(tmp_path / "x"), str(whole)) == shown
    assert undisturbed(tmp_path / "x", whole)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_lost_file_is_missed_and_written_again(wholes, tmp_path, command):
    whole, _ = wholes[command]
    folder = tmp_path / "x"
    shutil.copytree(whole, folder)
    lost = all_files(whole).keys() - {"checksums.json", "journal.jsonl"}
    for name in lost:
        (folder / name).unlink()
    reported = verify_results(folder)
    assert all(any(error.startswith(f"{name}: ") for error in reported) for name in lost)
    tiny(command, folder)
    assert undisturbed(folder, whole)
