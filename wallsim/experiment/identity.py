"""Identities: the facts that decide results, and the hash by which folders and files name them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wallsim.engine.version import ENGINE_VERSION

_engines = [ENGINE_VERSION]  # the last one is in identities; threads share it


def engine_version() -> int:
    """The engine version that identities have: that of today, or inside `as_of_engine` another."""
    return _engines[-1]


@contextmanager
def as_of_engine(version: int) -> Iterator[None]:
    """Meanwhile identities are those that an engine version gave the same facts; nothing may be played inside."""
    _engines.append(version)
    try:
        yield
    finally:
        _engines.pop()


def identity_hash(facts: dict[str, Any]) -> str:
    """The sha256 of an identity in canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(facts).encode()).hexdigest()


def canonical(facts: dict[str, Any]) -> str:
    """The canonical form of an identity, as JSON."""
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))
