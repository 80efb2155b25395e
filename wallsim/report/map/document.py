"""The format of `map.json`: its keys and their allowed values. `checks` checks that they are consistent."""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from wallsim.errors import InputError, short
from wallsim.escaping import UNPRINTABLE, escaped_line, is_printable
from wallsim.rules.board_table import Problem
from wallsim.rules.files import check_json, finite, normal_text, whole
from wallsim.rules.suggestions import did_you_mean

MOST_BYTES = 400_000  # the shipped map has 53,000; checks of crossings take seconds beyond
_SHORT, _LONG = 40, 500  # characters of a name and of a sentence


def _printable(name: str) -> str:
    if not is_printable(name):
        raise PydanticCustomError("hidden", f"Input should have no {UNPRINTABLE}")
    return name


Name = Annotated[str, Field(min_length=1, max_length=_SHORT, pattern=r"^\S(.*\S)?$"), AfterValidator(_printable)]
Size = Annotated[float, Field(gt=0, le=1e6)]
Coordinate = Annotated[float, Field(ge=-1e6, le=1e6)]
Point = tuple[Coordinate, Coordinate]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


MAP_FILE = "map.json"
MOST_PROBLEMS = 20  # a map of another board would otherwise be reported in hundreds of lines
_SHOWN = 40  # characters of a wrong value that an error repeats


class MapProblem(Problem):
    """One thing that is wrong with a map.

    As a `Problem` of the tables, but `column` is the place in the document, its keys joined by dots; `line` is 0 except
    for text that is not JSON.
    """

    def __str__(self) -> str:
        """The error in one line: file, line and field where there are such, then the text."""
        line = f", line {self.line}" if self.line else ""
        field = f", field {self.column}" if self.column else ""
        return escaped_line(f"{self.file}{line}{field}: {self.text}")


class MapError(InputError):
    """A `map.json` that cannot be drawn; `errors` holds what is wrong with it."""


class ProblemList(list[MapProblem]):
    """The errors of one map in the order in which they were found."""

    def refuse(self, field: str, text: str, line: int = 0) -> None:
        """Add an error; `field` is empty where the whole file is meant."""
        self.append(MapProblem(MAP_FILE, line, field, text))

    def shortened(self) -> list[MapProblem]:
        """The first MOST_PROBLEMS errors, and if there are more, a line with their number."""
        if len(self) <= MOST_PROBLEMS:
            return list(self)
        rest = MapProblem(
            MAP_FILE, 0, "", f"{len(self) - MOST_PROBLEMS} more errors are not listed; repair these first"
        )
        return [*self[:MOST_PROBLEMS], rest]


def shown(value: object) -> str:
    """A value as an error repeats it, shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


class Lettering(_Part):
    """A name on the map: its lines, their middle `at`, letter size and box (width, height), in units of the frame."""

    lines: Annotated[tuple[Name, ...], Field(min_length=1, max_length=3)]
    at: Point
    size: Size
    box: tuple[Size, Size]


class County(_Part):
    """A county: its arcs in order, the middle and radius of the largest circle in it, and its two names."""

    region: Name
    arcs: Annotated[tuple[int, ...], Field(min_length=1)]
    label: Point
    room: Size
    name: Lettering
    short: Name
    small: Lettering


class Region(_Part):
    """A region: its colour where no numbers are shown."""

    fill: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class Foreign(_Part):
    """The name of a sea or a neighbouring land, outside all counties."""

    text: Name
    at: Point
    kind: Literal["sea", "land"]


class Line(NamedTuple):
    """A line on the map: points [n, 2], the one or two counties beside it, and `border`, `sea` or `land`."""

    points: np.ndarray
    counties: tuple[str, ...]
    kind: str


class BoardMap(_Part):
    """A map as it is written; see data/board/SOURCES.md for the meaning of each key.

    Lengths are in units of the frame (left, bottom, right, top); y points north.
    """

    about: Annotated[str, Field(max_length=_LONG)] = ""
    y: Literal["up"]
    frame: tuple[Coordinate, Coordinate, Coordinate, Coordinate]
    regions: dict[Name, Region]
    foreign: Annotated[tuple[Foreign, ...], Field(max_length=50)] = ()
    counties: dict[Name, County]
    between: tuple[tuple[Name, Name | None], ...]
    kind: tuple[Literal["border", "sea", "land"], ...]
    arcs: tuple[Annotated[tuple[Point, ...], Field(min_length=2)], ...]

    def piece(self, number: int) -> tuple[Point, ...]:
        """The points of an arc of a county; a negative number is that of an arc that runs backwards."""
        return self.arcs[number] if number >= 0 else self.arcs[~number][::-1]

    def ring(self, name: str) -> np.ndarray:
        """The closed line around a county [n, 2], counter-clockwise, the first point not repeated at the end."""
        pieces = map(self.piece, self.counties[name].arcs)
        return np.array([point for piece in pieces for point in piece[:-1]], dtype=np.float64)

    @property
    def lines(self) -> list[Line]:
        """All lines of the map."""
        return [
            Line(np.array(points, dtype=np.float64), tuple(name for name in names if name is not None), kind)
            for points, names, kind in zip(self.arcs, self.between, self.kind, strict=True)
        ]

    def regions_beside(self, line: Line) -> set[str]:
        """The one or two regions that a line belongs to."""
        return {self.counties[name].region for name in line.counties}


def read_map(data: bytes, errors: ProblemList) -> BoardMap | None:
    """The map in a file's bytes; None, with the errors added to `errors`, if it is not one."""
    text = _text(data, errors)
    if text is None:
        return None
    try:
        return BoardMap.model_validate_json(text)
    except ValidationError as error:
        for place, each in enumerate(error.errors(include_url=False)):
            words = _in_words(each) if place < MOST_PROBLEMS else ""  # more are only counted
            errors.refuse(short(".".join(map(str, each["loc"]))), words)
        return None


def _text(data: bytes, errors: ProblemList) -> str | None:
    """The bytes as text that is JSON without repeated keys, of which readers would silently keep the last."""
    repeated: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        repeated.extend(key for key, count in Counter(keys).items() if count > 1)
        return dict(pairs)

    text = normal_text(data, lambda line, words: errors.refuse("", words, line))
    if text is None:
        return None
    try:
        check_json(text.encode())
        json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=finite)
    except json.JSONDecodeError as error:
        errors.refuse("", f"not readable as JSON at column {error.colno}: {error.msg}", error.lineno)
        return None
    except ValueError as error:
        errors.refuse("", f"not readable as JSON: {error}")
        return None
    for key in repeated:
        errors.refuse("", f"duplicate key {shown(key)}")
    return None if repeated else text


def _in_words(error: Any) -> str:
    place = error["loc"][-1] if error["loc"] else ""
    if error["type"] == "missing":
        return "is missing; every map needs it"
    if error["type"] == "extra_forbidden":
        known = _keys(error["loc"])
        return f"unknown key; allowed are {', '.join(known)}{did_you_mean(place, known)}"
    message = error["msg"].removeprefix("Input ").removeprefix("Value ")
    return f"{shown(error['input'])} is not allowed; it {message[0].lower()}{message[1:]}"


def _keys(place: tuple[int | str, ...]) -> list[str]:
    """The keys allowed beside the last one of a place in the document."""
    parts: dict[str, type[_Part]] = {"counties": County, "regions": Region, "foreign": Foreign}
    if len(place) == 1:
        return list(BoardMap.model_fields)
    part = Lettering if place[0] == "counties" and len(place) > 3 else parts[str(place[0])]
    return list(part.model_fields)
