"""The files of a finished tuning: a policy file, the history as a table and a picture, the result, and checksums."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from wallsim.errors import RunError
from wallsim.escaping import escaped_line
from wallsim.folder.address import disk_folder
from wallsim.folder.commit import sync_folder
from wallsim.folder.derived import CHECKSUMS, Derived, derived_errors, read_checksums
from wallsim.folder.local_files import FileStore
from wallsim.folder.tuning_journal import PICTURE, RESULT, names_of
from wallsim.play.chunk_play import parquet
from wallsim.policies.catalogue import Policy, weights_of
from wallsim.rules.files import read_json
from wallsim.searches.tuning.history import History

_WIDTH = 118  # characters of a comment


def policy_text(policy: Policy, description: str, comments: Sequence[str]) -> str:
    """The text of a policy file as in `data/policies`: kind, description, comments as paragraphs, and all numbers."""
    lines = [f"kind = {json.dumps(policy.kind)}", f"description = {json.dumps(escaped_line(description))}"]
    if policy.correction is not None:
        lines.append(f"correction = {json.dumps(policy.correction.said, ensure_ascii=False)}")
    lines.append("")
    for paragraph in comments:
        lines += [f"# {line}" for line in textwrap.wrap(escaped_line(paragraph), _WIDTH, break_long_words=False)]
    lines += ["[weights]", *(f"{weight.name} = {policy.weights[weight.name]}" for weight in weights_of(policy.kind))]
    for phase, table in policy.phases.items():
        lines += ["", f"[weights.{json.dumps(phase)}]", *(f"{name} = {value}" for name, value in table.items())]
    for players, counties in policy.counties.items():
        lines += [
            "",
            f"[counties.{players}]",
            *(f"{json.dumps(county, ensure_ascii=False)} = {value}" for county, value in counties.items()),
        ]
    return "\n".join([*lines, ""])


def curve(history: History) -> pl.DataFrame:
    """The history as a table with one row per generation.

    Columns: generation, share (share of wins of the mean against the pool), error (its standard error), score, best
    (score of the best candidate), step, joined, pool (number of its members at that time), one column per tuned weight
    with its mean, and for each opponent of the checks `OPPONENT_share`, `_low` and `_high`, null where the mean was not
    checked. The last row is the mean after the last generation, which has not played any games.
    """
    checked = {line["check"]: line["findings"] for line in history.checks}
    members = len(history.settings.members)
    rows = []
    for number, mean in enumerate(history.means()):
        line = history.generations[number] if number < len(history.generations) else {}
        row: dict[str, Any] = {
            "generation": number,
            **{key: line.get(key) for key in ("share", "error", "score")},
            "best": max(line["scores"]) if line else None,
            "step": line.get("step"),
            "joined": line.get("joined"),
            "pool": members,
            **mean,
        }
        members += bool(line.get("joined"))
        for finding in checked.get(number, []):
            row |= {f"{finding['opponent']}_{key}": finding[key] for key in ("share", "low", "high")}
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


class Saved(NamedTuple):
    """What a folder has of a finished search.

    `result` is the contents of the result's file, None if there are none, or they are not what was written. `errors`
    are those of the files that belong to the result, and `other_errors` those of files under other names, one line
    each. `others` are the digests of the latter.
    """

    result: dict[str, Any] | None
    errors: list[str]
    other_errors: list[str]
    others: dict[str, str]

    def answers(self, requested: Mapping[str, Any]) -> bool:
        """Whether there is a result, and it is the one that is requested."""
        return self.result is not None and self.result == {**self.result, **requested}


def read_saved(place: FileStore, name: str, file: str = RESULT) -> Saved:
    """What a folder has of a search for a policy of this name; `file` has the result. OSError is passed on."""
    try:
        digests = read_checksums(place)
    except RunError as error:
        return Saved(None, [str(error)], [], {})
    if digests is None:
        unsealed = place.size(file) is not None
        return Saved(None, [f"{file}: has no recorded digest ({CHECKSUMS} is missing)"] if unsealed else [], [], {})
    written = digests.get(file)
    result = _result_of(place, file) if written is not None and place.digest(file) == written else None
    names = names_of(name, file)
    errors: list[str] = []
    other_errors: list[str] = []
    for line in derived_errors(place, ()):
        (errors if line.partition(": ")[0] in names else other_errors).append(line)
    if result is not None and result.get("name") == name:
        errors += [f"{CHECKSUMS}: has no entry for {own}" for own in names if own not in digests]
    others = {other: digest for other, digest in digests.items() if other not in names}
    return Saved(result, errors, other_errors, others)


def _result_of(place: FileStore, file: str) -> dict[str, Any] | None:
    try:
        result = read_json(place.read(file))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) else None


def begin(place: FileStore, file: str = RESULT) -> None:
    """Mark the search as unfinished; `file` has its result."""
    place.delete(CHECKSUMS)
    place.delete(file)
    sync_folder(disk_folder(place.folder))


def result_files(
    result: dict[str, Any], policy: str, table: pl.DataFrame, picture: Derived, file: str = RESULT
) -> dict[str, Derived]:
    """The files of a finished search by name: policy file, curve, tune.json or another file, and the picture last."""
    text = json.dumps(result, indent=2, ensure_ascii=False) + "\n"
    data = (policy.encode(), parquet(table, {}), picture, text.encode())
    files = dict(zip(names_of(result["name"], file), data, strict=True))
    return {**files, PICTURE: files.pop(PICTURE)}
