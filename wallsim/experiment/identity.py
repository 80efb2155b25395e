"""Identities: the facts that decide results, and the hash by which folders and files name them."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def identity_hash(facts: dict[str, Any]) -> str:
    """The sha256 of an identity in canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(facts).encode()).hexdigest()


def canonical(facts: dict[str, Any]) -> str:
    """The canonical form of an identity, as JSON."""
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))
