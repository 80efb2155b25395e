"""Two runs side by side: the same seed and number of players, the game numbers both have, and what was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.errors import InputError
from wallsim.folder.result_folder import ResultFolder
from wallsim.folder.results import Run, board_of, printed_lineup
from wallsim.rules.amounts import PRINTED, start_thalers_name
from wallsim.rules.intervention_step import ABSENT, BY_TURN, CANCELLED, EVERY, GIFTS, START_WORD, TURN_WORD
from wallsim.rules.other_settings import board_words, settings_line, settings_of
from wallsim.rules.terms import ROUND_NAMES
from wallsim.rules.tower import tower_presets

# Facts of an experiment that decide which numbers are played or which tables are written, but no game.
_NO_CHANGE = frozenset({"games", "seed", "players", "seasons", "battles", "counties", "columns"})
_WIDTH = 90  # of a value in words


@dataclass(frozen=True)
class Pairing:
    """Two runs and the game numbers that both played, int64 [games], ascending. A game number is a block."""

    first: Run
    second: Run
    games: np.ndarray

    @property
    def players(self) -> int:
        """The number of seats at each table."""
        return int(self.first.identity["players"])

    @property
    def runs(self) -> tuple[Run, Run]:
        """Both runs."""
        return self.first, self.second

    def changes(self) -> list[str]:
        """What the experiments differ in, in the form `combat: must → may`; an empty list if in nothing."""
        one, other = (_described(run) for run in self.runs)
        return list(_differences("", one, other))

    def changes_in_words(self) -> list[str]:
        """The same in words for players, such as `B: Steiermark in place of Bremen`."""
        one, other = (_without_words(run) for run in self.runs)
        return [
            *policy_words(*(run.identity["policies"] for run in self.runs)),
            *changes_in_words(*self.runs),
            *_differences("", one, other),
        ]

    def settings(self) -> list[str]:
        """What is not the default, a line for both runs or for each of them; none where all is the default."""
        lines = [settings_line(settings_of(run.manifest)) for run in self.runs]
        if lines[0] == lines[1]:
            return [line for line in lines[:1] if line]
        return [f"{letter}: {line or 'The default settings.'}" for letter, line in zip("AB", lines, strict=True)]

    def left_out(self) -> str:
        """A sentence about games that only one of the runs played; empty if both played the same numbers."""
        counts = [int(run.manifest["games"]) for run in self.runs]
        if counts == [len(self.games)] * 2:
            return ""
        return (
            f"Compared are the {len(self.games):,} game numbers that both played; A has {counts[0]:,} games, "
            f"B {counts[1]:,}."
        )

    def grown(self) -> str:
        """A sentence about games that were added to a finished run, or until an interval was short enough; else empty.

        A confidence sequence allows for that, and the intervals of a comparison do not.
        """
        if not any(run.grown for run in self.runs):
            return ""
        return (
            "Games were added to a run, but these intervals assume a number of games fixed beforehand; "
            "for a run to a target precision (`until`), use the intervals that its command printed."
        )


def paired_runs(first: Run, second: Run) -> Pairing:
    """Pair two runs by game number.

    InputError if they have different seeds or numbers of players, or no game number in common: the message names both
    folders, the field and both values. RunError if a file is damaged.
    """
    errors = [
        f"{first.folder} and {second.folder}: {field}: {first.identity[field]} and {second.identity[field]}; "
        "runs are compared game by game, which needs the same in both"
        for field in ("seed", "players")
        if first.identity[field] != second.identity[field]
    ]
    if errors:
        raise InputError(errors)
    one, other = _numbers(first), _numbers(second)
    shared = np.intersect1d(one, other)
    if not len(shared):
        raise InputError(
            f"{first.folder} and {second.folder}: game: {one.min()} to {one.max()} and {other.min()} to {other.max()}; "
            "runs are compared game by game, and these have no number in common"
        )
    return Pairing(first, second, shared)


def _numbers(run: Run) -> np.ndarray:
    return run.scan("games").select("game").collect()["game"].to_numpy().astype(np.int64)


def _described(run: Run) -> dict[str, Any]:
    # The identity, with the tower's name beside its figures and the policies by seat.
    facts: dict[str, Any] = {key: value for key, value in run.identity.items() if key not in _NO_CHANGE}
    facts["tower"] = {"": run.manifest["tower"]["name"], **facts["tower"]}
    facts["board"] = board_words(facts["board"], run.manifest["board"].get("name", ""))
    for seat, policy in enumerate(facts.pop("policies")):
        facts[f"policy of seat {seat}"] = {"": policy["name"], **policy}
        del facts[f"policy of seat {seat}"]["name"]
    return facts


def _without_words(run: Run) -> dict[str, Any]:
    # The facts that have no words of their own, of the tower its name, or its numbers where the name says nothing.
    facts = _described(run)
    tower = {} if facts["tower"][""] in tower_presets() else {"numbers": facts["tower"]}
    return {
        **{name: value for name, value in facts.items() if name not in WORDED and not name.startswith("policy of ")},
        "tower": {"": facts["tower"][""], **tower},
    }


def _differences(name: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            inner = f"{name} {key}".strip()
            yield from _differences(inner, one.get(key), other.get(key))
    elif one != other:
        yield f"{name}: {_in_words(one)} → {_in_words(other)}"


def _in_words(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(inner, str) for inner in value):
        text = ", ".join(value)
    elif value is None or value == []:
        text = "none"
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]} …"


WORDED = ("lineup", "thalers", "amounts", "without", "interventions")  # keys of an identity that have words here
_GIFTS = {
    "thalers": ("Thaler", "Thalers"), "vp": ("VP", "VP"), "armies": ("army", "armies"), "grain": ("grain", "grain")
}  # fmt: skip

Facts = Mapping[str, Any]


def changes_in_words(first: Run, second: Run) -> list[str]:
    """What the second run changes of the first in set-up, amounts and interventions, one entry each."""
    return _changes(first, first.identity, second, second.identity)


def edits_in_words(results: ResultFolder) -> list[str]:
    """What a run or a tournament changes of the printed game in set-up, amounts and interventions."""
    printed = {key: value for key, value in results.identity.items() if key not in WORDED}
    return _changes(results, printed, results, results.identity)


def _changes(first: ResultFolder, one: Facts, second: ResultFolder, other: Facts) -> list[str]:
    return [
        *_lineups(first, one, second, other),
        *_thalers(one, other),
        *_amounts(one, other),
        *_without(one.get("without", ()), other.get("without", ())),
        *_interventions(one.get("interventions", ()), other.get("interventions", ())),
    ]


def policy_words(one: Sequence[Facts], other: Sequence[Facts]) -> Iterator[str]:
    """The bots that differ; those of all seats in one entry where every seat has the same."""
    before, after = ([policy["name"] for policy in policies] for policies in (one, other))
    if len({*before}) == len({*after}) == 1 and before != after:
        yield f"bots: {before[0]} → {after[0]}"
        return
    for seat, (old, new) in enumerate(zip(one, other, strict=True)):
        if old["name"] != new["name"]:
            yield f"bot of seat {seat}: {old['name']} → {new['name']}"
        elif old != new:
            yield f"bot of seat {seat}: another version of {old['name']}"


def _lineups(first: ResultFolder, one: Facts, second: ResultFolder, other: Facts) -> Iterator[str]:
    def counties(results: ResultFolder, facts: Facts, letter: str) -> dict[str, int]:
        edits = facts.get("lineup", {})
        if letter in edits:
            return dict(edits[letter])
        return printed_lineup(board_of(results), facts["players"], letter)

    for letter in sorted({*one.get("lineup", {}), *other.get("lineup", {})}):
        before, after = counties(first, one, letter), counties(second, other, letter)
        if list(before.items()) != list(after.items()):
            yield f"{letter}: {', '.join(_lineup(before, after)) or 'its counties in another order'}"


def _lineup(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    gone, new = ([county for county in one if county not in other] for one, other in ((before, after), (after, before)))
    for county in list(new):
        same = next((old for old in gone if before[old] == after[county]), None)
        if same is not None:
            yield f"{county} in place of {same}"
            gone.remove(same)
            new.remove(county)
    for county, old in zip(new, gone, strict=False):
        yield f"{county} with {_armies(after[county])} in place of {old} with {before[old]}"
    paired = min(len(new), len(gone))
    yield from (f"also {county} with {_armies(after[county])}" for county in new[paired:])
    yield from (f"without {county}" for county in gone[paired:])
    for county, armies in after.items():
        if county in before and before[county] != armies:
            yield f"{county} with {_armies(armies)} in place of {before[county]}"


def _armies(number: int) -> str:
    return f"{number} {'army' if number == 1 else 'armies'}"


def _thalers(one: Facts, other: Facts) -> Iterator[str]:
    before, after = one.get("thalers", {}), other.get("thalers", {})
    for name in sorted({*before, *after}):
        old, new = (
            facts.get("thalers", {}).get(name, _amount(facts, start_thalers_name(facts["players"])))
            for facts in (one, other)
        )
        if old != new:
            yield f"{_who(name)}: {new} starting Thalers in place of {old}"


def _amounts(one: Facts, other: Facts) -> Iterator[str]:
    for name in dict.fromkeys((*one.get("amounts", {}), *other.get("amounts", {}))):
        old, new = _amount(one, name), _amount(other, name)
        if old != new:
            yield f"{name}: {old} → {new}"


def _amount(facts: Facts, name: str) -> Any:
    return facts.get("amounts", {}).get(name, PRINTED.get(name))


def _without(one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    yield from (f"{county} out of play" for county in other if county not in one)
    yield from (f"{county} in play" for county in one if county not in other)


def _interventions(one: Sequence[Facts], other: Sequence[Facts]) -> Iterator[str]:
    yield from (_step(step) for step in other if step not in one)
    yield from (f"no longer: {_step(step)}" for step in one if step not in other)


def _step(step: Facts) -> str:
    who, to = _who(step.get("seat")), step.get("to")
    if step["do"] == "hand":
        gifts = [(step[name], name) for name in GIFTS if step.get(name)]
        what = ", ".join(f"{number:+} {_GIFTS[name][abs(number) != 1]}".replace("-", "−") for number, name in gifts)
    elif step["do"] == "event":
        what = {CANCELLED: "no event", ABSENT: f"event {step.get('card')} absent"}.get(str(to), f"event {to}")
    elif step["do"] in ("tile", "place"):
        what = f"{step['do']} {to}"
    elif step["do"] == "plan":
        what = f"card {step.get('card')} on box {step.get('box')}"
    elif step["do"] == "trade":
        what = f"{' and '.join(step.get('counties', ()))} change owners"
    else:
        what = json.dumps(step, ensure_ascii=False)
    return f"{who + ': ' if who else ''}{what}{_when(step.get('round', ()))}"


def _when(rounds: Sequence[str]) -> str:
    if list(rounds) == [START_WORD]:
        return " at the start"
    if list(rounds) in ([EVERY], list(ROUND_NAMES)):
        return " in every round"
    if list(rounds) == [TURN_WORD]:
        return " in one round, by turn"
    return f" in {', '.join(rounds)}" if rounds else ""


def _who(name: Any) -> str:
    if name is None:
        return ""
    return "each seat in turn" if name == BY_TURN else f"seat {name}" if str(name).isdecimal() else str(name)
