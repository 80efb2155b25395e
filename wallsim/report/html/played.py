"""What was played, as pairs of a name and words for a page: bots, players, games, set-up, tower, board, other rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from wallsim.analysis.contrasts.pairing import edits_in_words
from wallsim.errors import some_of
from wallsim.escaping import escaped_line
from wallsim.folder.result_folder import ResultFolder
from wallsim.policies.catalogue import is_shipped_name, load_policy
from wallsim.report.tables.estimates import how_many
from wallsim.rules.other_settings import SETUP_WORDS, board_words, settings_line, settings_of

Manifest = Mapping[str, Any]
_POLICY = re.compile(r"(?<![\w./-])polic(y|ies)(?![\w/-]|\.\w)")  # but not as a part of a name or a path
_NAMES = 3  # of scenarios that share a value
_EDITIONS = {"2e": "second edition", "1e": "first edition"}


def played_rows(results: Mapping[str, ResultFolder]) -> list[tuple[str, str]]:
    """The rows for runs or tournaments by name; where they differ, with the names that have each."""
    words = {name: _words(each.manifest) for name, each in results.items()}
    rows = next(iter(words.values()))
    return [(row, _together({name: each[row] for name, each in words.items()})) for row in rows]


def bots_line(results: Iterable[ResultFolder]) -> str:
    """A sentence on who played."""
    names = dict.fromkeys(policy["name"] for each in results for policy in each.manifest["policies"])
    return f"Played by bots, not people: {', '.join(names)}."


def settings_lines(results: ResultFolder, name: str = "") -> list[str]:
    """What is not the default, and what was changed of the printed game, a line each; none where all is as printed.

    `name` is that of the scenario.
    """
    of = f"{name}: " if name else ""
    line, edits = settings_line(settings_of(results.manifest)), edits_in_words(results)
    changed = f"{of}Changed from the printed game: {escaped_line('; '.join(edits))}."
    return [*([f"{of}{line}"] if line else []), *([changed] if edits else [])]


def in_players_words(text: str) -> str:
    """A text of ours with *bot* in place of *policy*, which players do not know."""
    return _POLICY.sub(lambda found: f"bot{'' if found[1] == 'y' else 's'}", text)


def _together(words: Mapping[str, str]) -> str:
    if len({*words.values()}) == 1:
        return next(iter(words.values()))
    names: dict[str, list[str]] = {}
    for name, each in words.items():
        names.setdefault(each, []).append(name)
    return ". ".join(f"{some_of(some, _NAMES)}: {each}" for each, some in names.items())


def _words(manifest: Manifest) -> dict[str, str]:
    facts, tower = manifest["experiment"]["identity"], manifest["tower"]
    blocks = f" in {how_many(manifest['blocks'], 'block')}" if "blocks" in manifest else ""
    return {
        "Bots": "; ".join(map(_bot, dict.fromkeys(policy["name"] for policy in manifest["policies"]))),
        "Players": str(facts["players"]),
        "Games": f"{manifest['games']:,}{blocks}, seed {manifest['seed']}",
        "Set-up": _setup(facts),
        "Rules": f"{_EDITIONS.get(facts['edition'], facts['edition'])}, expansions: "
        f"{', '.join(facts['expansions']) or 'none'}",
        "Tower": f"{tower['name']}, model {tower['model']}",
        "Board": board_words(facts["board"], manifest["board"].get("name", "")),
    }


def _bot(name: str) -> str:
    description = load_policy(name).description if is_shipped_name(name) else "a file of its own"
    return f"{name} ({description.rstrip('.')})" if description else name


def _setup(facts: Mapping[str, Any]) -> str:
    if facts["setup"] != "lineup":
        return SETUP_WORDS[facts["setup"]]
    edited = ", ".join(facts.get("lineup", {}))
    return f"line-ups, {edited} edited, the others as printed" if edited else "the printed line-ups"
