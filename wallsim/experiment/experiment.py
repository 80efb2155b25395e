"""The experiment: what is played, how many games, and which tables are written; validated before a run starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from wallsim.errors import InputError
from wallsim.experiment.chunks import FIRST_CHUNK, MAX_CHUNKS, ChunkLayout
from wallsim.experiment.components import Components, interventions_identity, table_identity
from wallsim.experiment.errors import error_lines
from wallsim.experiment.errors import refuse_value as _refuse
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.keys import EXPERIMENT_KEYS
from wallsim.experiment.setup_keys import (
    EDIT_KEYS,
    SWITCH_NAMES,
    TOP_LEVEL_RULES,
    board_of,
    bound_errors,
    edit_errors,
    expansion_errors,
    expansion_names,
    ruleset_of,
    unknown_switch,
    whole_lineups,
)
from wallsim.policies.catalogue import (
    DEFAULT_POLICY,
    PolicyError,
    is_policy_file,
    is_shipped_name,
    listed_names,
    load_policy,
)
from wallsim.rules.board_check import check_board
from wallsim.rules.intervention_step import Step
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.tower import DEFAULT_TOWER, TowerError, load_tower

if TYPE_CHECKING:  # reading and checking an experiment does not need the compiler
    from wallsim.engine.arena import Arena
    from wallsim.rules.board import Board

_MOST_POLICIES = 10  # that are looked at; a table has up to five

# Maximum games per chunk; they limit the memory of a worker to about 100 MB with every table.
_CHUNK, _CHUNK_WITH_BATTLES, _CHUNK_WITH_SEASONS = 50_000, 25_000, 12_500


def _field(name: str, **more: Any) -> Any:
    # The field of a key, with what is said of the key elsewhere, too: default, bounds, allowed values.
    key = EXPERIMENT_KEYS[name]
    default = {} if "default_factory" in more else {"default": key.default}
    bounds = {"ge": key.least, "le": key.most} if key.least is not None else {}
    return Field(**{**default, **bounds, **more}, description=key.allowed)


class Experiment(BaseModel):
    """What is played, how many games, and which tables are written; immutable, and validated on creation.

    Parameters
    ----------
    name
        A title for the results; it does not affect any game.
    players
        Number of seats: 3, 4 or 5.
    setup
        "lineup" for the printed line-ups (B1.3), "draft" for the normal set-up (B1.4), "deal" for counties and army
        groups dealt at random, which no rulebook has.
    lineups
        The letter of each seat's line-up, in seat order; empty for the alphabetical order.
    edition
        "2e" or "1e".
    expansions
        Any of "court", "landsknechte" and "leaders", or "all".
    policies
        The name of a policy or the path of its file for all seats, or a list with one per seat.
    games
        Number of games. It does not affect game k.
    seed
        The seed of all random events.
    tower
        The name of a preset of the dice tower, or the path of a .toml file.
    board
        The path of a folder with other counties, borders, cards and line-ups; None for the printed board.
    seasons, battles, counties, plans
        Whether to write the tables `seasons`, `battles`, `counties` and `plans` beside `games` and `seats`.
    columns
        "all" columns of `games` and `seats`, or "lean" for wins and victory points by source only, which take a fifth
        of the disk space.
    chunk
        Maximum number of games per file; None for a suitable number. It does not affect any game.
    rules
        Switches of the ruleset by name; `wallsim rules` lists them.
    amounts
        Numbers of the game by name, in place of the printed ones; `wallsim rules` lists them.
    thalers
        Starting Thalers by seat ("0") or line-up ("A"); the others have the printed ones (B1.1).
    without
        The names of counties that are out of play.
    lineup
        Edited line-ups by letter: `exchange` names printed counties, each with the one in its place, or `replace` names
        all counties of the line-up with their armies. Stored as the complete list of counties.
    interventions
        What is changed during each game, one table per step, as docs/interventions.md describes them.

    Raises
    ------
    InputError
        With all errors, one line per error: key, value, allowed values.

    Notes
    -----
    Relative paths start at the working folder; `load_experiment` resolves the paths in a file from the file's folder.

    Examples
    --------
    >>> Experiment(players=3, games=500).chunk_games()
    50000
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    if TYPE_CHECKING:  # the accepted types, which are more general than the types of the fields

        def __init__(
            self,
            *,
            name: str | None = None,
            players: Literal[3, 4, 5] = 4,
            setup: Literal["lineup", "draft", "deal"] = "lineup",
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
            plans: bool = False,
            columns: Literal["all", "lean"] = "all",
            chunk: int | None = None,
            rules: dict[str, Any] = ...,
            amounts: Mapping[str, int] = ...,
            thalers: Mapping[str, int] = ...,
            without: Sequence[str] = (),
            lineup: Mapping[str, Mapping[str, Any]] = ...,
            interventions: Sequence[Mapping[str, Any]] = (),
        ) -> None: ...

    name: str | None = _field("name", pattern=r"^[\w .+-]{1,80}$")
    players: Literal[3, 4, 5] = _field("players")
    setup: Literal["lineup", "draft", "deal"] = _field("setup")
    lineups: Annotated[tuple[str, ...], Field(strict=False)] = _field("lineups", validate_default=True)
    edition: Literal["2e", "1e"] = _field("edition")
    expansions: tuple[str, ...] = _field("expansions")
    policies: tuple[str, ...] = _field("policies", default=DEFAULT_POLICY, validate_default=True)
    games: int = _field("games")
    seed: int = _field("seed")
    tower: str = _field("tower", default=DEFAULT_TOWER)
    board: str | None = _field("board")
    seasons: bool = _field("seasons")
    battles: bool = _field("battles")
    counties: bool = _field("counties")
    plans: bool = _field("plans")
    columns: Literal["all", "lean"] = _field("columns")
    chunk: int | None = _field("chunk")
    rules: dict[str, Any] = _field("rules", default_factory=dict)
    amounts: dict[str, int] = _field("amounts", default_factory=dict)
    thalers: dict[str, int] = _field("thalers", default_factory=dict)
    without: Annotated[tuple[str, ...], Field(strict=False)] = _field("without")
    lineup: Annotated[dict[str, dict[str, int]], BeforeValidator(whole_lineups)] = _field(
        "lineup", default_factory=dict, validate_default=True
    )
    interventions: Annotated[tuple[dict[str, Any], ...], Field(strict=False)] = _field("interventions")

    @field_validator("lineups")
    @classmethod
    def _lineups_fit(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        known = info.data
        if value and {"players", "setup"} <= known.keys():
            errors = Ruleset(players=known["players"], setup=known["setup"], lineups=value).errors()
            _refuse([("", shown, f"is not {allowed}") for _, shown, allowed in errors])
        return value

    @field_validator("expansions", mode="before")
    @classmethod
    def _expansions_are_known(cls, value: Any) -> tuple[str, ...]:
        _refuse(expansion_errors(value))
        return expansion_names(value)

    @field_validator("policies", mode="before")
    @classmethod
    def _one_policy_per_seat(cls, value: Any, info: ValidationInfo) -> Any:
        players = info.data.get("players")
        names = [value] * (players or 1) if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            _refuse([("", value, "is not the name of a policy or a list of names, one per seat")])
        known = f"{', '.join(listed_names())}, nor a .toml or .py file"
        errors: list[tuple[str, Any, str]] = [
            ("", name, f"is not one of {known}{did_you_mean(name, listed_names())}")
            for name in unknown_policies(names[:_MOST_POLICIES])
        ]
        if players and len(names) != players:
            errors.append(("", list(names), f"names {len(names)} policies; allowed are one name for all, or {players}"))
        _refuse(errors)
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
    def _board_can_be_played(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None:
            _refuse([("", None, _placed(value, str(error))) for error in check_board(value)])
            players = info.data.get("players")
            if players and info.data.get("setup") == "lineup":
                from wallsim.rules.board import load_board

                if not any(number == players for number, _ in load_board(value).lineups):
                    text = (
                        f"has no line-ups for {players} players in lineups.csv; allowed with it are setup draft or deal"
                    )
                    _refuse([("", value, text)])
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
        errors = [(key, None, unknown_switch(key)) for key in value if key not in SWITCH_NAMES]
        known = {key: setting for key, setting in value.items() if key in SWITCH_NAMES}
        wrong = Ruleset(**known).errors()
        _refuse(errors + [(key, shown, f"is not {words}") for key, shown, words in wrong])
        return {name: known[name] for name in SWITCH_NAMES if name in known}

    @field_validator("amounts")
    @classmethod
    def _amounts_are_within_bounds(cls, value: dict[str, int]) -> dict[str, int]:
        _refuse(bound_errors(value))
        return value

    @field_validator(*EDIT_KEYS)
    @classmethod
    def _setup_can_be_edited(cls, value: Any, info: ValidationInfo) -> Any:
        key = str(info.field_name)
        known = {**info.data, key: value}
        if {*TOP_LEVEL_RULES, "board", "rules"} <= known.keys() and any(known.get(each) for each in EDIT_KEYS):
            _refuse(edit_errors(known, key))
        return value

    @field_validator("interventions")
    @classmethod
    def _interventions_can_be_done(
        cls, value: tuple[dict[str, Any], ...], info: ValidationInfo
    ) -> tuple[dict[str, Any], ...]:
        known = info.data
        if value and {*TOP_LEVEL_RULES, "board", "rules", *EDIT_KEYS} <= known.keys():
            from wallsim.rules.script import table_of

            _refuse(parse_interventions(value, table_of(board_of(known), ruleset_of(known)))[1])
        return value

    def steps(self, board: Board) -> tuple[Step, ...]:
        """The interventions with their defaults filled in; `board` is the one of the experiment."""
        if not self.interventions:
            return ()
        from wallsim.rules.script import table_of

        return tuple(parse_interventions(self.interventions, table_of(board, self.ruleset()))[0])

    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return ruleset_of({name: getattr(self, name) for name in (*TOP_LEVEL_RULES, "rules", *EDIT_KEYS)})

    def changed(self, **keys: Any) -> Self:
        """The same experiment with other values of some keys, validated as on creation.

        InputError with all errors, as on creation.
        """
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **keys})

    def components(self) -> Components:
        """Board, ruleset, tower and policies, read from their files."""
        from wallsim.rules.board import load_board

        board = load_board(Path(self.board) if self.board is not None else None)
        return Components(
            board=board,
            ruleset=self.ruleset(),
            tower=load_tower(self.tower),
            policies=tuple(load_policy(name) for name in self.policies),
            interventions=self.steps(board),
        )

    def arena(self) -> Arena:
        """The compiled table of this experiment; its game k is game k of the run."""
        return self.components().arena(self.seed)

    def hash(self, *, with_games: bool = False) -> str:
        """The sha256 of everything that decides game k; name, chunk, workers and folders are not included.

        `with_games`: also the number of games, which is not included otherwise.
        """
        facts = identity(self, self.components())
        return identity_hash({**facts, "games": self.games} if with_games else facts)

    def chunk_games(self) -> int:
        """Maximum games per chunk: `chunk`, or a number that limits memory."""
        if self.chunk is not None:
            return self.chunk
        if self.seasons or self.counties or self.plans:
            return _CHUNK_WITH_SEASONS
        return _CHUNK_WITH_BATTLES if self.battles else _CHUNK

    def layout(self) -> ChunkLayout:
        """The chunks: of equal size if `chunk` is given, otherwise small ones first.

        Their sizes do not depend on the number of games, so that chunks stay when games are added.
        """
        return ChunkLayout(self.games, self.chunk_games(), FIRST_CHUNK if self.chunk is None else None)


def _init(self: Experiment, **values: Any) -> None:
    try:
        BaseModel.__init__(self, **values)
    except ValidationError as error:
        raise InputError(error_lines(error, values, str, Experiment.model_fields)) from None


if not TYPE_CHECKING:
    # Assigned after the class body: pydantic would also call a constructor defined there from `model_validate`, whose
    # callers report errors with the file or the options that they come from.
    Experiment.__init__ = _init


def identity(experiment: Experiment, parts: Components) -> dict[str, Any]:
    """Everything that decides the rows of a run, and nothing else: runs with equal identity have equal rows.

    It omits name, chunk, workers and folders, and the tower's name, because the tower's numbers are included; and the
    number of games, since games can be added and those that were played stay the same. The switch `combat` has its
    effective value, not `edition`. Tables added later are included only if they are requested, and `columns` only if
    not all are written, so that older experiments keep their hash.
    """
    return {
        **table_identity(parts),
        "policies": [policy.identity() for policy in parts.policies],
        "seed": experiment.seed,
        "seasons": experiment.seasons,
        "battles": experiment.battles,
        **({"counties": True} if experiment.counties else {}),
        **({"plans": True} if experiment.plans else {}),
        **({"columns": experiment.columns} if experiment.columns != EXPERIMENT_KEYS["columns"].default else {}),
        **interventions_identity(parts),
    }


def unknown_policies(names: list[str] | tuple[str, ...]) -> list[str]:
    """The names that are not names of policies, each once; paths of files are ignored."""
    return [name for name in dict.fromkeys(names) if not is_policy_file(name) and not is_shipped_name(name)]


def _placed(folder: str, error: str) -> str:
    # An error about the folder itself already contains its path.
    return error if error.startswith(folder) else str(Path(folder) / error)
