"""Differences between JSON objects as JSON merge patches (RFC 7396): what is new, with null for what is gone."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Object = dict[str, Any]


def merge_patch(before: Object, after: Object) -> Object:
    """The patch that makes `after` of `before`; {} if they are equal. No value of an object may be None."""
    patch: Object = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                patch[key] = inner
        elif key not in before or value != old or type(value) is not type(old):
            patch[key] = deepcopy(value)
    return patch


def patched(before: Object, patch: Object) -> Object:
    """A new object: `before`, changed by a patch. Neither is changed, and nothing of them is in the result."""
    after: Object = {key: deepcopy(value) for key, value in before.items() if key not in patch}
    for key, value in patch.items():
        if isinstance(value, dict):
            old = before.get(key)
            after[key] = patched(old if isinstance(old, dict) else {}, value)
        elif value is not None:
            after[key] = deepcopy(value)
    return after
