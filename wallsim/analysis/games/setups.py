"""The settings and the set-up of a run in words, from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.rules.amounts import PRINTED
from wallsim.rules.other_settings import SETUP_WORDS as SETUP_WORDS
from wallsim.rules.other_settings import other_settings
from wallsim.rules.setup_edits import size_difference


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
