"""Boards with other favors and Landsknechte cards than the printed ones.

The amounts of the favors, and which of them builds what and wards off which combat, are assumed (`data/board`). The
same games are played with the assumed figures halved, doubled, equal for all cards of a kind, and permuted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.folder.commit import write_whole
from wallsim.rules.board_cards import ASSUMED
from wallsim.rules.files import data_folder
from wallsim.rules.terms import BENEFITS

BUILDERS, PROTECTORS = ("7", "17", "21"), ("10", "11", "18")  # favors that build, and that ward off combats
Row = dict[str, str]


class Boards(NamedTuple):
    """Boards of the study's own in a folder, each written when it is first asked for."""

    folder: Path

    def with_favors(self, name: str) -> Path:
        """The board with the favors of a variant; its folder is named by the place of the variant."""
        values = variants()[name]

        def change_row(row: Row) -> Row:
            changed = values.get(row["number"], row["value"])
            return row if changed == row["value"] else {**row, "value": changed, "provenance": f"varied: {name}"}

        return self.written(f"favors-{list(variants()).index(name) + 1}", "favors.csv", change_row)

    def blank(self, card: int) -> Path:
        """The board on which a Landsknechte card brings nothing."""

        def change_row(row: Row) -> Row:
            return {**row, **dict.fromkeys(BENEFITS, "0")} if row["card"] == str(card) else row

        return self.written(f"landsknechte-{card}-blank", "landsknechte.csv", change_row)

    def written(self, name: str, file: str, change_row: Callable[[Row], Row | None]) -> Path:
        """The board in a folder with this name whose rows of one file are changed, or left out."""
        place = self.folder / "boards" / name
        place.mkdir(parents=True, exist_ok=True)
        for path in data_folder("board").glob("*.csv"):
            text = path.read_bytes()
            if path.name == file:
                rows = [row for row in map(change_row, _rows(file)) if row is not None]
                written = io.StringIO(newline="")
                table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
                table.writeheader()
                table.writerows(rows)
                text = written.getvalue().encode()
            write_whole(place / path.name, text)
        return place


def _rows(file: str) -> list[Row]:
    with (data_folder("board") / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def variants() -> dict[str, dict[str, str]]:
    """The changed values of favors, by the name of the variant and the favor's number.

    Amounts are halved upwards, since a favor must bring something; equal are those that bring their kind's mean.
    """
    favors = {row["number"]: row for row in _rows("favors.csv")}
    assumed = {number: row for number, row in favors.items()
               if row["kind"] in BENEFITS and ASSUMED in row["provenance"]}  # fmt: skip
    amounts = {kind: [int(row["value"]) for row in assumed.values() if row["kind"] == kind] for kind in BENEFITS}
    result = {
        "amounts halved": {number: str((int(row["value"]) + 1) // 2) for number, row in assumed.items()},
        "amounts doubled": {number: str(2 * int(row["value"])) for number, row in assumed.items()},
        "amounts alike": {number: str(round(np.mean(amounts[row["kind"]]))) for number, row in assumed.items()},
    }
    for numbers in (BUILDERS, PROTECTORS):
        printed = tuple(favors[number]["value"] for number in numbers)
        for order in permutations(printed):
            if order != printed:
                words = ", ".join(value.replace("_", " ") for value in order)
                result[f"{', '.join(numbers)}: {words}"] = dict(zip(numbers, order, strict=True))
    return result
