"""Policies by name or path: the files of `data/policies`, and custom ones with weights (TOML) or code (Python)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from wallsim.errors import InputError, quoted
from wallsim.escaping import UNPRINTABLE, is_printable
from wallsim.policies.correction.correction_file import Correction, load_correction
from wallsim.policies.county_tables import Counties, counties_over, errors_of_counties, packed_counties
from wallsim.policies.phased_weights import lay_over, split_tables
from wallsim.policies.policy import KINDS as KINDS
from wallsim.policies.policy import Policy as Policy
from wallsim.policies.policy import WeightFile, errors_of_weights, is_code_file, read_weights
from wallsim.policies.policy import is_policy_file as is_policy_file
from wallsim.policies.policy import weights_of as weights_of
from wallsim.policies.policy_error import PolicyError as PolicyError
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.search import Search
from wallsim.policies.value.value_file import Value, load_value
from wallsim.policies.weights import DEFAULTS, WEIGHTS
from wallsim.rules.files import data_folder, stamps_of
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUNDS

if TYPE_CHECKING:  # only who plays needs arrays and the compiler
    import numpy as np

DEFAULT_POLICY = "balanced"
_SHARED = 256  # cached minds, to be sent again
# Further names of shipped policies. Casual bots are named by the size of a table, as other lines are; `casual` was the
# name of another policy, and is still that one where a run or a file names it.
ALIASES = {**dict.fromkeys(("casual-3p", "casual-4p", "casual-5p"), "amateur"), "casual-2026-11": "casual"}
_DEEPEST = 2  # a search names policies, which may be searches that name others; files could name each other endlessly


def listed_names() -> tuple[str, ...]:
    """The names for users: of the files and the aliases, but `casual`, which would be taken for casual bots."""
    return tuple(sorted({*policy_names(), *ALIASES} - {"casual"}))


def refuse_former_name(names: Iterable[str]) -> None:
    """PolicyError for the name `casual` in a command: of the two policies that it may mean, the command says which."""
    if "casual" in names:
        raise PolicyError(
            "policies: casual has been the name of another policy; allowed are casual-3p, casual-4p and casual-5p, "
            "casual bots as in the studies, and casual-2026-11, which had the name"
        )


def is_shipped_name(name: str) -> bool:
    """Whether `load_policy` knows a name that is no path."""
    return name in ALIASES or name in policy_names()


def policy_names() -> tuple[str, ...]:
    """The names of the shipped files: each policy once."""
    return tuple(
        sorted(name.removesuffix(".toml") for name in os.listdir(data_folder("policies")) if name[-5:] == ".toml")
    )


def load_policy(name_or_path: str) -> Policy:
    """The policy of a name or of a file; raises PolicyError for a name or a file that is not one.

    A Python file is run: callers that take the name from a file ask first (`wallsim.experiment.file`).
    """
    return _load(name_or_path, 0)


def _load(name_or_path: str, depth: int) -> Policy:
    if is_policy_file(name_or_path):
        return _read(Path(name_or_path), depth)
    if not is_shipped_name(name_or_path):
        known = ", ".join(listed_names())
        meant = did_you_mean(name_or_path, listed_names())
        raise PolicyError(f"policies: {quoted(name_or_path)} is not one of {known}, nor a .toml or .py file{meant}")
    stamps = stamps_of(*map(data_folder, ("policies", "values", "corrections")))
    result = _shipped(ALIASES.get(name_or_path, name_or_path), depth, stamps)
    phases = {name: dict(each) for name, each in result.phases.items()}
    counties = {players: dict(each) for players, each in result.counties.items()}
    return replace(result, name=name_or_path, weights=dict(result.weights), phases=phases, counties=counties)


@lru_cache(maxsize=128)
def _shipped(name: str, depth: int, stamps: tuple[tuple[str, int, int], ...]) -> Policy:
    # A study has thousands of experiments with the same policies, which are read once as long as no file changes.
    return _read(data_folder("policies") / f"{name}.toml", depth)


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file, as `read_weights` describes it, or of a Python file (`custom/python_file.py`)."""
    return _read(path, 0)


def _read(path: Path, depth: int) -> Policy:
    if not is_printable(path.stem):  # it becomes the name of the policy, which is printed
        raise PolicyError(f"{path}: the name of a policy may have no {UNPRINTABLE}; rename the file")
    if is_code_file(path):
        from wallsim.policies.custom.python_file import read_code

        code = read_code(path)
        file = WeightFile(code.base, "python", code.description, None, code.weights, {}, {}, code.source)
        return _with_base(path, file, depth, answers=code.answers, code=code.digest)
    return _with_base(path, read_weights(path), depth)


def _with_base(path: Path, file: WeightFile, depth: int, **own: Any) -> Policy:
    """Put together what a file says and what it takes from its base, a shipped policy, or from the defaults."""
    base, kind, description, taught, weights, counties, search, source = file
    known, known_phases = DEFAULTS, {}
    known_counties: Counties = {}
    correction: Correction | None = None
    if base is not None:
        if not is_shipped_name(base):
            names = listed_names()
            raise PolicyError(
                f"{path}: base: {quoted(base)} is not one of {', '.join(names)}{did_you_mean(base, names)}"
            )
        under = load_policy(base)
        if under.kind == "random":
            raise PolicyError(f"{path}: base: {base!r} has no weights; take one that has, such as 'balanced'")
        known, known_phases, known_counties = under.weights, under.phases, under.counties
        correction = under.correction
        kind = kind or under.kind
        if under.search is not None and kind == "rollout":
            search = {**under.search.fields(), **search}
    assert kind is not None  # a file without a base says its kind
    own_weights = [weight.name for weight in weights_of(kind)]
    tables, errors = split_tables(str(path), weights, own_weights)
    errors += errors_of_weights(str(path), kind, tables.weights, known)
    for phase, table in tables.phases.items():
        errors += errors_of_weights(str(path), kind, table, {}, f"weights.{tables.keys[phase]}")
    errors += errors_of_counties(str(path), kind, counties)
    result, wrong = Search.read(str(path), search) if kind == "rollout" else (None, [])
    advisers: tuple[Policy, ...] = ()
    value = None
    if result is not None and not wrong:
        advisers, value, wrong = _advice(path, result, depth)
    if kind != "rollout" and search:
        wrong = [f"{path}: search: only a policy of kind 'rollout' has this table; here it is {kind!r}"]
    if taught is not None and kind == "random":
        errors.append(f"{path}: correction: a policy of kind 'random' has none")
    elif taught is not None:
        try:
            correction = load_correction(taught, path.parent)
        except InputError as error:
            errors.append(f"{path}: correction: {error}")
    if errors + wrong:
        raise PolicyError(errors + wrong)
    said = {name: float(value) for name, value in tables.weights.items()}
    said_phases = {
        phase: {name: float(value) for name, value in table.items()} for phase, table in tables.phases.items()
    }
    values, phases = lay_over(known, known_phases, said, said_phases)
    return Policy(
        path.stem, kind, {name: float(values[name]) for name in own_weights}, phases if own_weights else {},
        counties_over(known_counties, counties) if own_weights else {}, correction,
        description=description, search=result, advisers=advisers, value=value, source=source, **own,
    )  # fmt: skip


def _advice(path: Path, search: Search, depth: int) -> tuple[tuple[Policy, ...], Value | None, list[str]]:
    """The policies and the learned value that a search names, and all that is wrong with them."""
    if search.candidates and depth == _DEEPEST:
        return (), None, [f"{path}: search.candidates: policies name each other more than {_DEEPEST} deep"]
    advisers: dict[str, Policy] = {}
    value, errors = None, []
    for name in dict.fromkeys(search.candidates):
        if is_policy_file(name) and is_code_file(name):  # and so is never run
            errors.append(f"{path}: search.candidates: {name!r} is Python code, which plans by no weights")
            continue
        try:
            adviser = _load(name, depth + 1)
        except PolicyError as error:
            errors.append(f"{path}: search.candidates: {str(error).removeprefix('policies: ')}")
            continue
        if adviser.kind in ("balanced", "rollout"):
            advisers[name] = adviser
        else:
            errors.append(f"{path}: search.candidates: {name!r} is of kind {adviser.kind!r}, which plans by no weights")
    if search.value:
        try:
            value = load_value(search.value)
        except InputError as error:
            errors.append(f"{path}: search.value: {error}")
    return tuple(advisers[name] for name in search.candidates if name in advisers), value, errors


def pack_players(policies: list[Policy], *, bounded: bool = False) -> np.ndarray:
    """A PLAYERS array of one element, read-only, with a policy a seat, five at most.

    Compiles the answers of Python files, or fetches them from the cache; PolicyError if one cannot be compiled.
    `bounded`: these answers check their indices.
    """
    return seat_minds([pack_mind(policy, bounded=bounded) for policy in policies])


def seat_minds(minds: list[np.ndarray]) -> np.ndarray:
    """A PLAYERS array of one element, read-only, from the packed mind of each seat, five at most."""
    import numpy as np

    from wallsim.policies.record import PLAYERS

    packed = np.zeros(1, dtype=PLAYERS)
    for seat, mind in enumerate(minds):
        packed["seat"][0, seat] = mind[0]
    packed.setflags(write=False)
    return packed


def pack_mind(policy: Policy, *, bounded: bool = False) -> np.ndarray:
    """A MIND array of one element for a policy; PolicyError if its answers cannot be compiled.

    `bounded`: the answers of a Python file check their indices.
    """
    import numpy as np

    from wallsim.policies.record import MIND

    packed = np.zeros(1, dtype=MIND)
    mind = packed[0]
    mind["kind"] = KINDS[policy.kind]
    for place in range(ROUNDS if policy.phases else 1):
        values = policy.weights_in(place)
        mind["phase_weight"][place if policy.phases else slice(None)] = [
            values.get(weight.name, 0.0) for weight in WEIGHTS
        ]
    mind["weight"][:] = mind["phase_weight"][0]
    if policy.counties:
        mind["county_worth"][:] = packed_counties(policy.counties)
    if policy.correction is not None:
        mind["correction"] = policy.correction.address()
    if policy.search is not None:
        from wallsim.policies.advice import advice_of

        mind["search"][:] = policy.search.numbers()
        mind["advice"] = advice_of(policy)
    for number, question in enumerate(QUESTIONS):
        if question.name in policy.answers:
            from wallsim.policies.custom.guards import guards

            mind["custom"] = 1
            mind["guard"][:] = guards()
            mind["custom_answer"][number] = _address(policy, question.name, bounded)
    if policy.answers or policy.search is not None or policy.correction is not None:
        _WITH_ADDRESSES[packed.tobytes()] = policy
    return packed


# The policies whose minds have addresses of machine code or memory, by the bytes of the mind.
_WITH_ADDRESSES: dict[bytes, Policy] = {}
_SEATED: WeakValueDictionary[tuple[Policy | bytes, ...], np.ndarray] = WeakValueDictionary()


def portable_minds(players: np.ndarray) -> tuple[Policy | bytes, ...]:
    """Each seat of a PLAYERS array in a form for other processes: the bytes of a mind, or a policy with addresses."""
    return tuple(_portable(mind.tobytes()) for mind in players["seat"][0])


@lru_cache(_SHARED)
def _portable(mind: bytes) -> Policy | bytes:
    # Equal minds become the same object, which is written once where many tables are sent together.
    import numpy as np

    from wallsim.policies.record import MIND, SEARCH_WIDTH

    policy = _WITH_ADDRESSES.get(mind)
    fields = np.frombuffer(mind, MIND)[0]
    if policy is None and (fields["custom"] or fields["search"][SEARCH_WIDTH] or fields["correction"]):
        raise ValueError("a mind with addresses that no policy was packed to cannot go to another process")
    return mind if policy is None else policy


def seat_portable_minds(minds: tuple[Policy | bytes, ...], *, bounded: bool = False) -> np.ndarray:
    """The PLAYERS array of such forms; PolicyError if the code of a policy cannot be compiled here."""
    import numpy as np

    from wallsim.policies.record import MIND

    plain = not any(isinstance(mind, Policy) for mind in minds)
    result = _SEATED.get(minds) if plain else None
    if result is None:
        result = seat_minds(
            [
                pack_mind(mind, bounded=bounded) if isinstance(mind, Policy) else np.frombuffer(mind, MIND)
                for mind in minds
            ]
        )
        if plain:
            _SEATED[minds] = result
    return result


def _address(policy: Policy, question: str, bounded: bool) -> int:
    from wallsim.jit import NotCompiledError

    try:
        return policy.answers[question].address(bounded)
    except NotCompiledError as error:
        raise PolicyError(f"{policy.name}: {question}: Numba cannot compile it:\n{error}") from None
