"""Policies by name or path: the files of `data/policies`, and custom ones with weights (TOML) or code (Python)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.policies.policy import KINDS, Policy, PolicyError, faults_of_weights, weights_of
from wallsim.policies.policy_file import is_policy_file, read_weights
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.search import Search
from wallsim.policies.weights import DEFAULTS, WEIGHTS
from wallsim.rules.files import data_folder
from wallsim.rules.spelling import did_you_mean

if TYPE_CHECKING:  # only who plays needs arrays and the compiler
    import numpy as np

__all__ = [
    "DEFAULT_POLICY",
    "KINDS",
    "Policy",
    "PolicyError",
    "is_policy_file",
    "load_policy",
    "pack_players",
    "policy_names",
    "read_policy",
    "weights_of",
]

DEFAULT_POLICY = "balanced"


def policy_names() -> tuple[str, ...]:
    """The names that `load_policy` knows."""
    return tuple(sorted(path.stem for path in data_folder("policies").glob("*.toml")))


def load_policy(name_or_path: str) -> Policy:
    """The policy of a name or of a file; raises PolicyError for a name or a file that is not one."""
    if is_policy_file(name_or_path):
        return read_policy(Path(name_or_path))
    if name_or_path not in policy_names():
        known = ", ".join(policy_names())
        meant = did_you_mean(name_or_path, policy_names())
        raise PolicyError(f"policies: {name_or_path!r} is not one of {known}, nor a .toml or .py file{meant}")
    return read_policy(data_folder("policies") / f"{name_or_path}.toml")


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file, as `policy_file.py` describes it, or of a Python file (`custom/python_file.py`)."""
    if path.suffix == ".py":
        from wallsim.policies.custom.python_file import read_code

        code = read_code(path)
        own = {"answers": code.answers, "code": code.digest, "source": code.source}
        return _with_base(path, code.base, "python", code.weights, {}, code.description, **own)
    file = read_weights(path)
    return _with_base(path, file.base, file.kind, file.weights, file.search, file.description, source=file.source)


def _with_base(
    path: Path,
    base: str | None,
    kind: str | None,
    weights: dict[str, Any],
    search: dict[str, Any],
    description: str,
    **own: Any,
) -> Policy:
    """Put together what a file says and what it takes from its base, a shipped policy, or from the defaults."""
    known = DEFAULTS
    if base is not None:
        names = policy_names()
        if base not in names:
            raise PolicyError(f"{path}: base: {base!r} is not one of {', '.join(names)}{did_you_mean(base, names)}")
        under = load_policy(base)
        if under.kind == "random":
            raise PolicyError(f"{path}: base: {base!r} has no weights; take one that has, such as 'balanced'")
        known = under.weights
        kind = kind or under.kind
        if under.search is not None and kind == "rollout":
            search = {**under.search.fields(), **search}
    assert kind is not None  # a file without a base says its kind
    faults = faults_of_weights(str(path), kind, weights, known)
    found, wrong = Search.read(str(path), search) if kind == "rollout" else (None, [])
    if kind != "rollout" and search:
        wrong = [f"{path}: search: only a policy of kind 'rollout' has this table; here it is {kind!r}"]
    if faults + wrong:
        raise PolicyError("\n".join(faults + wrong))
    values = {weight.name: float(weights.get(weight.name, known[weight.name])) for weight in weights_of(kind)}
    return Policy(path.stem, kind, values, description=description, search=found, **own)


def pack_players(policies: list[Policy]) -> np.ndarray:
    """A PLAYERS array of one element, read-only, with a policy a seat, five at most.

    Compiles the answers of Python files, or fetches them from the cache; PolicyError if one cannot be compiled.
    """
    import numpy as np

    from wallsim.policies.record import PLAYERS

    packed = np.zeros(1, dtype=PLAYERS)
    for seat, policy in enumerate(policies):
        mind = packed[0].seat[seat]
        mind.kind = KINDS[policy.kind]
        mind.weight[:] = [policy.weights.get(weight.name, 0.0) for weight in WEIGHTS]
        if policy.search is not None:
            mind.search[:] = policy.search.numbers()
        for number, question in enumerate(QUESTIONS):
            if question.name in policy.answers:
                from wallsim.policies.custom.guards import guards

                mind.custom = 1
                mind.guard[:] = guards()
                mind.custom_answer[number] = _address(policy, question.name)
    packed.setflags(write=False)
    return packed


def _address(policy: Policy, question: str) -> int:
    from wallsim.jit import NotCompiledError

    try:
        return policy.answers[question].address()
    except NotCompiledError as error:
        raise PolicyError(f"{policy.name}: {question}: Numba cannot compile it:\n{error}") from None
