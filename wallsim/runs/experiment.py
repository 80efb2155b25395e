"""The experiment: what is played, how often, and what is written down; validated before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from wallsim.errors import InputError
from wallsim.policies.catalogue import DEFAULT_POLICY, PolicyError, is_policy_file, load_policy, policy_names
from wallsim.rules.board_check import check_board
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.spelling import did_you_mean
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import DEFAULT_TOWER, TowerError, load_tower
from wallsim.runs.chunks import FIRST_CHUNK, ChunkLayout
from wallsim.runs.components import Components, identity, load_components
from wallsim.runs.folder.layout import MAX_CHUNKS, identity_hash

if TYPE_CHECKING:  # an experiment is read and checked without the compiler
    from wallsim.engine.arena import Arena

MAX_GAMES = 10**10
MAX_SEED = 2**63 - 1
# Fields of the ruleset that are keys of their own; the others are switches.
TOP_LEVEL_RULES = ("players", "setup", "lineups", "edition", "expansions")
ALL_EXPANSIONS = "all"  # may be said in place of their names
SWITCH_NAMES = tuple(name for name in FIELD_NAMES if name not in TOP_LEVEL_RULES)

# Games per chunk at most: what a worker holds in memory, about 100 MB with every table.
_CHUNK, _CHUNK_WITH_BATTLES, _CHUNK_WITH_SEASONS = 50_000, 25_000, 12_500
_ENDLESS = "a number of hundreds of digits"
_CHUNKS_AIMED_AT = 20  # so that workers finish together and little is lost by an interruption


class Experiment(BaseModel):
    """What is played, how many games, and which tables are written; immutable, and checked when it is made.

    Parameters
    ----------
    name
        A title for the results; it changes no game.
    players
        Number of seats: 3, 4 or 5.
    setup
        "lineup" for the printed line-ups (B1.3), "draft" for the normal set-up (B1.4).
    lineups
        The line-up of each seat by its letter, in order of the seats; empty for the alphabetical order.
    edition
        "2e" or "1e".
    expansions
        Any of "court", "landsknechte" and "leaders", or "all".
    policies
        The name of a policy or the path of its file for all seats, or a list with one per seat.
    games
        Number of games. Game k is the same whatever the number.
    seed
        The number from which all chance comes.
    tower
        The name of a preset of the dice tower, or the path of a .toml file.
    board
        The path of a folder with other counties, borders, cards and line-ups; None for the printed board.
    seasons, battles, counties
        Whether to write the tables `seasons`, `battles` and `counties` beside `games` and `seats`.
    chunk
        Games per file at most; None for a suitable number. It changes no game.
    rules
        Switches of the ruleset by name; `wallsim rules` lists them.

    Raises
    ------
    InputError
        With every fault at once, a line each: key, value, what is allowed.

    Notes
    -----
    Relative paths are taken from the working folder; `load_experiment` resolves those of a file from the file's own
    folder.

    Examples
    --------
    >>> Experiment(players=3, games=500).chunk_games()
    1000
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    if TYPE_CHECKING:  # what may be written, which is more than what the fields hold afterwards

        def __init__(
            self,
            *,
            name: str | None = None,
            players: Literal[3, 4, 5] = 4,
            setup: Literal["lineup", "draft"] = "lineup",
            lineups: Sequence[str] = (),
            edition: Literal["2e", "1e"] = "2e",
            expansions: str | Sequence[str] = (),
            policies: str | Sequence[str] = DEFAULT_POLICY,
            games: int = 10_000,
            seed: int = 1,
            tower: str = DEFAULT_TOWER,
            board: str | None = None,
            seasons: bool = False,
            battles: bool = False,
            counties: bool = False,
            chunk: int | None = None,
            rules: dict[str, Any] = ...,
        ) -> None: ...

    name: str | None = Field(
        default=None, pattern=r"^[\w .+-]{1,80}$", description="up to 80 letters, digits, blanks or . + -"
    )
    players: Literal[3, 4, 5] = Field(default=4, description="one of 3, 4, 5")
    setup: Literal["lineup", "draft"] = Field(default="lineup", description="one of lineup, draft")
    lineups: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="a list of line-up letters, one per seat", validate_default=True
    )
    edition: Literal["2e", "1e"] = Field(default="2e", description="one of 2e, 1e")
    expansions: tuple[str, ...] = Field(
        default=(), description=f"a list of some of {', '.join(EXPANSIONS)}, or {ALL_EXPANSIONS}"
    )
    policies: tuple[str, ...] = Field(
        default=DEFAULT_POLICY,
        description="the name of a policy or the path of its file, or a list of them, one per seat",
        validate_default=True,
    )
    games: int = Field(default=10_000, ge=1, le=MAX_GAMES, description=f"a whole number from 1 to {MAX_GAMES}")
    seed: int = Field(default=1, ge=0, le=MAX_SEED, description=f"a whole number from 0 to {MAX_SEED}")
    tower: str = Field(default=DEFAULT_TOWER, description="the name of a preset or the path of a .toml file")
    board: str | None = Field(default=None, description="the path of a board folder")
    seasons: bool = Field(default=False, description="true or false")
    battles: bool = Field(default=False, description="true or false")
    counties: bool = Field(default=False, description="true or false")
    chunk: int | None = Field(default=None, ge=1, le=1_000_000, description="a whole number from 1 to 1000000")
    rules: dict[str, Any] = Field(default_factory=dict, description="a table of switches")

    @field_validator("lineups")
    @classmethod
    def _lineups_fit(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        known = info.data
        if value and {"players", "setup"} <= known.keys():
            faults = Ruleset(players=known["players"], setup=known["setup"], lineups=value).faults()
            _refuse([("", shown, f"is not {allowed}") for _, shown, allowed in faults])
        return value

    @field_validator("expansions", mode="before")
    @classmethod
    def _expansions_are_known(cls, value: Any) -> tuple[str, ...]:
        _refuse(_expansion_faults(value))
        named = EXPANSIONS if value == ALL_EXPANSIONS else _listed(value) or []
        return tuple(name for name in EXPANSIONS if name in named)

    @field_validator("policies", mode="before")
    @classmethod
    def _a_policy_a_seat(cls, value: Any, info: ValidationInfo) -> Any:
        players = info.data.get("players")
        names = [value] * (players or 1) if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            _refuse([("", value, "is not the name of a policy or a list of names, one per seat")])
        known = f"{', '.join(policy_names())}, nor a .toml or .py file"
        faults: list[tuple[str, Any, str]] = [
            ("", name, f"is not one of {known}{did_you_mean(name, policy_names())}") for name in unknown_policies(names)
        ]
        if players and len(names) != players:
            faults.append(("", list(names), f"names {len(names)} policies; allowed are one name for all, or {players}"))
        _refuse(faults)
        loaded: dict[str, tuple[str, dict[str, Any]]] = {}
        for name in dict.fromkeys(names):
            try:
                policy = load_policy(name)
            except PolicyError as error:
                _refuse([("", None, line) for line in str(error).splitlines()])
            other, same = loaded.setdefault(policy.name, (name, policy.identity()))
            if same != policy.identity():
                _refuse([("", name, f"and {other} are both called {policy.name}; rename one of the files")])
        return tuple(names)

    @field_validator("tower")
    @classmethod
    def _tower_exists(cls, value: str) -> str:
        try:
            load_tower(value)
        except TowerError as error:
            _refuse([("", None, line.removeprefix("tower: ")) for line in str(error).splitlines()])
        return value

    @field_validator("board")
    @classmethod
    def _board_can_be_played(cls, value: str | None) -> str | None:
        if value is not None:
            _refuse([("", None, _placed(value, str(fault))) for fault in check_board(value)])
        return value

    @field_validator("chunk")
    @classmethod
    def _chunks_are_not_too_many(cls, value: int | None, info: ValidationInfo) -> int | None:
        games = info.data.get("games")
        if value is not None and games is not None and games > value * MAX_CHUNKS:
            least = -(-games // MAX_CHUNKS)
            _refuse([("", value, f"makes more than {MAX_CHUNKS} chunks of {games} games; allowed are {least} or more")])
        return value

    @field_validator("rules")
    @classmethod
    def _switches_are_known(cls, value: dict[str, Any]) -> dict[str, Any]:
        faults = [(key, None, _no_switch(key)) for key in value if key not in SWITCH_NAMES]
        known = {key: given for key, given in value.items() if key in SWITCH_NAMES}
        wrong = Ruleset(**known).faults()
        _refuse(faults + [(key, shown, f"is not {words}") for key, shown, words in wrong])
        return {name: known[name] for name in SWITCH_NAMES if name in known}

    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return Ruleset(**{name: getattr(self, name) for name in TOP_LEVEL_RULES}, **self.rules)

    def components(self) -> Components:
        """Board, ruleset, tower and policies, read from their files."""
        return load_components(self)

    def arena(self) -> Arena:
        """The compiled table of this experiment; its game k is game k of the run."""
        return self.components().arena(self.seed)

    def hash(self) -> str:
        """The sha256 over all that decides the rows: not name, chunk, workers or folders."""
        return identity_hash(identity(self, self.components()))

    def chunk_games(self) -> int:
        """Games per chunk: as given, else at most so many that memory is bounded and there are some twenty chunks."""
        if self.chunk is not None:
            return self.chunk
        most = _CHUNK_WITH_SEASONS if self.seasons or self.counties else _CHUNK_WITH_BATTLES if self.battles else _CHUNK
        share = -(-self.games // _CHUNKS_AIMED_AT)
        least = -(-self.games // MAX_CHUNKS)
        return max(least, min(most, max(1000, -(-share // 1000) * 1000)))

    def layout(self) -> ChunkLayout:
        """The chunks: of equal size if `chunk` is given, else small ones first."""
        return ChunkLayout(self.games, self.chunk_games(), FIRST_CHUNK if self.chunk is None else None)


def _init(self: Experiment, **values: Any) -> None:
    try:
        BaseModel.__init__(self, **values)
    except ValidationError as error:
        from wallsim.runs.experiment_file import fault_lines  # it reads files into this class

        raise InputError(fault_lines(error, values, str)) from None


if not TYPE_CHECKING:
    # Set when the class is complete: pydantic would call a constructor of its body from `model_validate`, too, whose
    # faults are told with the file or the flags that they come from.
    Experiment.__init__ = _init


def unknown_policies(names: list[str] | tuple[str, ...]) -> list[str]:
    """Those of some names that no policy has, each once; paths of files are not looked at."""
    return [name for name in dict.fromkeys(names) if not is_policy_file(name) and name not in policy_names()]


def _expansion_faults(value: Any) -> list[tuple[str, Any, str]]:
    known = ", ".join(EXPANSIONS)
    if value == ALL_EXPANSIONS:
        return []
    names = _listed(value)
    if names is None:
        return [("", value, f"is not a list of some of {known}, or {ALL_EXPANSIONS}")]
    strange = [name for name in dict.fromkeys(names) if name not in EXPANSIONS]
    twice = [name for name in EXPANSIONS if names.count(name) > 1]
    faults: list[tuple[str, Any, str]] = [
        (
            "",
            name,
            f"is not one of {known}; {ALL_EXPANSIONS} stands alone for all of them{did_you_mean(name, EXPANSIONS)}",
        )
        for name in strange
    ]
    return faults + [("", name, f"is named more than once; allowed is each of {known} once") for name in twice]


def _listed(value: Any) -> list[str] | None:
    # A single name stands for a list of one; None for what names nothing.
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return None
    return list(names)


def _no_switch(key: str) -> str:
    if key in TOP_LEVEL_RULES:
        return f"unknown switch; {key} is a key or flag of its own"
    return f"unknown switch; allowed are {', '.join(SWITCH_NAMES)}{did_you_mean(key, SWITCH_NAMES)}"


def _placed(folder: str, fault: str) -> str:
    # A fault about the folder itself names it already.
    return fault if fault.startswith(folder) else str(Path(folder) / fault)


def _refuse(faults: list[tuple[str, Any, str]]) -> None:
    # Faults are (key below the field, value or None where the text names it, text).
    # Python spells out no number of more than 4300 digits, and pydantic spells out all that an error holds.
    if faults:
        tame = [(key, _ENDLESS if isinstance(v, int) and v.bit_length() > 1000 else v, text) for key, v, text in faults]
        raise PydanticCustomError("wallsim", "{summary}", {"summary": "; ".join(f[2] for f in faults), "faults": tame})
