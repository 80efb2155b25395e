"""What one experiment changes of another, in words for players: `B: Steiermark in place of Bremen`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wallsim.rules.amounts import PRINTED, start_thalers_name
from wallsim.rules.intervention_step import ABSENT, BY_TURN, CANCELLED, GIFTS
from wallsim.rules.intervention_times import EVERY, START_WORD, TURN_WORD
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.folder.result_folder import ResultFolder
from wallsim.runs.folder.results import Run, board_of, printed_lineup

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
