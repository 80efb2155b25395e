"""What is played with other than the default, in words: the one source of the line that every output begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from wallsim.rules.amounts import PRINTED
from wallsim.rules.ruleset import FIELD_NAMES, LETTERS, Ruleset
from wallsim.rules.setup_edits import size_difference
from wallsim.rules.tower import DEFAULT_TOWER, load_tower, tower_presets

if TYPE_CHECKING:
    from wallsim.rules.board import Board
    from wallsim.rules.intervention_step import Step
    from wallsim.rules.tower import TowerModel

SETUP_WORDS = {"lineup": "line-ups", "draft": "draft", "deal": "counties dealt at random"}
_EDITIONS = {"1e": "first edition"}
_NAMED = ("players", "setup", "lineups", "edition", "expansions")  # fields of a ruleset that are no switches
_MOST = 8  # entries of a kind that are listed


def other_settings(facts: Mapping[str, Any], board: str = "", tower: str = "") -> list[str]:
    """Board, tower, edition, expansions, set-up, rules, amounts, line-ups and interventions that are not the default.

    `facts` is the identity of a run or of another result; a key that is missing has its default. `board` and `tower`
    are the names of both, which an identity lacks.
    """
    words = []
    if facts.get("board", _printed_digest()) != _printed_digest():
        words.append(f"board {board_words(facts['board'], board)}")
    if (numbers := facts.get("tower", _default_tower())) != _default_tower():
        words.append(f"tower {tower or _preset(numbers) or 'model ' + str(numbers.get('model'))}")
    if (edition := facts.get("edition", _DEFAULT.edition)) != _DEFAULT.edition:
        words.append(_EDITIONS.get(edition, edition))
    if expansions := facts.get("expansions"):
        words.append(f"expansion{'s' if len(expansions) > 1 else ''} {', '.join(expansions)}")
    if (setup := facts.get("setup", _DEFAULT.setup)) != _DEFAULT.setup:
        words.append(SETUP_WORDS.get(setup, setup))
    for name in FIELD_NAMES:
        if name not in _NAMED and facts.get(name, getattr(_DEFAULT, name)) != getattr(_DEFAULT, name):
            words.append(f"{name} = {facts[name]}")
    amounts = facts.get("amounts", {}).items()
    words += _some([f"{name} = {number} (printed {PRINTED.get(name)})" for name, number in amounts], "amounts")
    return [*words, *_setup_words(facts), *_intervention_words(facts.get("interventions", ()))]


def other_settings_of(
    ruleset: Ruleset, board: Board, tower: TowerModel, interventions: Sequence[Step] = ()
) -> list[str]:
    """The same of the parts of a game."""
    edits = {"amounts": dict(ruleset.amounts), "thalers": dict(ruleset.thalers), "without": ruleset.without}
    facts = {name: getattr(ruleset, name) for name in FIELD_NAMES} | edits
    facts |= {"lineups": ruleset.letters(), "lineup": dict(ruleset.lineup_edits)}
    facts["interventions"] = [step.words() for step in interventions if not step.is_null]
    return other_settings({**facts, "board": board.digest, "tower": tower.numbers()}, board.name, tower.name)


def settings_of_all(lists: Sequence[Sequence[str]]) -> list[str]:
    """The settings of several experiments that are not the default, each once; those of only some are marked."""
    found = dict.fromkeys(word for words in lists for word in words)
    return [word if all(word in words for words in lists) else f"{word} (in some games)" for word in found]


def board_words(digest: str, name: str = "") -> str:
    """A board by its name, if it has any, and by its digest; that of the game as `that of the game`."""
    if digest == _printed_digest():
        return "that of the game"
    return f"{name} ({digest[:8]})" if name else digest[:8]


def settings_line(words: Sequence[str]) -> str:
    """The line about these settings; empty if all are the default."""
    return f"Not the default: {'; '.join(words)}." if words else ""


def _setup_words(facts: Mapping[str, Any]) -> list[str]:
    words = []
    letters = [letter for letter in facts.get("lineups", ()) if letter]
    if letters != list(LETTERS[: len(letters)]):
        words.append(f"line-ups by seat {', '.join(letters)}")
    if thalers := facts.get("thalers"):
        words.append(f"starting Thalers {', '.join(f'{name} {amount}' for name, amount in thalers.items())}")
    if without := facts.get("without"):
        words += _some([f"without {county}" for county in without], "counties out of play")
    if edited := facts.get("lineup"):
        words.append(f"edited line-up{'s' if len(edited) > 1 else ''} {', '.join(edited)}")
    return words


def _intervention_words(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    kinds = Counter(str(step.get("do")) for step in steps)
    named = (f"{kind} ({count} times)" if count > 1 else kind for kind, count in kinds.items())
    return [f"intervention{'s' if len(steps) > 1 else ''} {', '.join(named)}"] if kinds else []


def _some(words: list[str], of_what: str) -> list[str]:
    more = len(words) - _MOST
    return [*words[:_MOST], f"{more} more {of_what}"] if more > 0 else words


def _preset(numbers: Mapping[str, Any]) -> str:
    return next((name for name in tower_presets() if load_tower(name).numbers() == numbers), "")


def _printed_digest() -> str:
    from wallsim.rules.board import printed_board  # loads NumPy, which the lists of commands do without

    return printed_board().digest


@cache
def _default_tower() -> dict[str, Any]:
    return load_tower(DEFAULT_TOWER).numbers()


_DEFAULT = Ruleset()


def settings_of(manifest: Mapping[str, Any]) -> list[str]:
    """What a run or a tournament was played with that is not the default, by its manifest; empty if nothing."""
    facts, tower = manifest["experiment"]["identity"], manifest["tower"]["name"]
    return other_settings(facts, manifest["board"].get("name", ""), tower)


def setup_assumptions(facts: Mapping[str, Any]) -> list[str]:
    """Notes on a set-up or numbers that no rulebook has, one line each; none for those of the rulebooks."""
    lines = []
    if facts["setup"] == "deal":
        lines.append(
            "Counties and army groups are dealt at random, as no rulebook has it: results may not hold with line-ups "
            "or in a draft."
        )
    if "amounts" in facts:
        named = (f"{name} {number} (printed {PRINTED[name]})" for name, number in facts["amounts"].items())
        lines.append(f"Other numbers than the printed ones: {', '.join(named)}. The policies were tuned with those.")
    if "thalers" in facts:
        named = (f"{_who(name)} {amount}" for name, amount in facts["thalers"].items())
        lines.append(f"Edited starting Thalers: {', '.join(named)}; the others as printed.")
    if "without" in facts:
        lines.append(f"Taken out of play: {', '.join(facts['without'])}.")
        if facts["setup"] == "lineup":
            lines.append("A printed line-up that has a county out of play goes without it and its armies.")
    for letter, groups in facts.get("lineup", {}).items():
        named = (f"{county} {armies}" for county, armies in groups)
        lines.append(f"Edited line-up {letter}, with armies: {', '.join(named)}.")
        if difference := size_difference(facts["players"], [armies for _, armies in groups]):
            lines.append(f"Line-up {letter} {difference}.")
    return lines


def _who(name: str) -> str:
    return f"seat {name}" if name.isdecimal() else f"line-up {name}"
