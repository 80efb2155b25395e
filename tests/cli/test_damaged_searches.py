"""Damaged files of searches and learning: verify names them, and the same command repairs them and shows the same."""

import json
import random
import shutil

import pytest

from tests.cli.searches import TINY, all_files, tiny, undisturbed
from wallsim.folder.verification import state_of, verify_results
from wallsim.searches.learning.learning import Games as LearningGames
from wallsim.searches.teaching.lessons import LessonGames
from wallsim.searches.tuning.evaluation import Games

# Chunks of lessons and positions are played by code that takes a minute to compile.
CHUNKED = ("learn", "teach")
COMMANDS = [pytest.param(command, marks=pytest.mark.slow if command in CHUNKED else ()) for command in TINY]
RESULTS = {"tune": "tune.json", "exploit": "exploit.json", "learn": "value.json", "teach": "taught.json"}


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


@pytest.fixture
def repaired(wholes, tmp_path):
    """The function that damages a copy of a search, whose errors name all that is damaged, and repairs it."""

    def repaired(command, damage, *names):
        whole, shown = wholes[command]
        folder = shutil.copytree(whole, tmp_path / "x")
        damage(folder)
        reported = verify_results(folder)
        assert [name for name in names if not any(name in error for error in reported)] == [], reported
        assert reported or not state_of(folder).finished
        again = tiny(command, folder)
        assert again.stdout.replace(str(folder), str(whole)) == shown
        assert undisturbed(folder, whole)
        assert verify_results(folder) == []
        return again.stderr

    return repaired


def flip(path, chance):
    """Change one random bit of a file."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def without_games(monkeypatch):
    """Nothing can be played any more."""
    for games in (Games, LearningGames, LessonGames):
        monkeypatch.setattr(games, "play", None)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_flipped_bit_of_any_file_is_found_and_repaired(wholes, repaired, tmp_path, command):
    for name in sorted(all_files(wholes[command][0])):
        chance = random.Random(f"{command} {name}")
        said = repaired(command, lambda folder, name=name, chance=chance: flip(folder / name, chance), name)
        assert name in said
        shutil.rmtree(tmp_path / "x")


def with_another_digit(path, before):
    """Change the first digit behind the last of these characters, so that another number stands there."""
    data = path.read_text()
    place = data.rindex(before) + len(before)
    path.write_text(data[:place] + ("1" if data[place] != "1" else "2") + data[place + 1 :])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_changed_number_of_a_result_is_made_from_the_journal(wholes, repaired, command, monkeypatch):
    name = RESULTS[command]
    if command in CHUNKED:  # they store games, and make results from these alone
        without_games(monkeypatch)
        assert name in repaired(command, lambda folder: with_another_digit(folder / name, "0."), name)
        return
    of_the_search = json.loads((wholes[command][0] / name).read_text())["seeds"]["search"]
    play, seeds = Games.play, set()
    monkeypatch.setattr(Games, "play", lambda *given: seeds.add(given[-1]) or play(*given))
    assert name in repaired(command, lambda folder: with_another_digit(folder / name, '"share": 0.'), name)
    assert of_the_search not in seeds


@pytest.mark.parametrize("command", ["tune", "exploit"])
def test_a_changed_weight_is_written_again_without_any_game(repaired, command, monkeypatch):
    def change(folder):
        [path] = folder.glob("*.toml")
        with_another_digit(path, "hold = 0.")

    without_games(monkeypatch)
    assert ".toml" in repaired(command, change, ".toml")


@pytest.mark.parametrize("command", ["tune", "exploit"])
def test_a_damaged_line_of_a_finished_search_is_played_again_and_a_copy_is_kept(wholes, repaired, tmp_path, command):
    journal = (wholes[command][0] / "journal.jsonl").read_bytes()
    spoilt = journal.replace(b'"asked"', b'"baked"', 1)
    said = repaired(command, lambda folder: (folder / "journal.jsonl").write_bytes(spoilt), "line 2")
    assert "line 2" in said
    assert "journal.jsonl.damaged-1" in said
    assert (tmp_path / "x" / "journal.jsonl.damaged-1").read_bytes() == spoilt
