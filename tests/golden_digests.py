"""Digests in tests/golden, which no accident may change; WALLSIM_WRITE_GOLDEN=1 in the environment renews them."""

import json
import os
from pathlib import Path


def assert_recorded(name, digests, *, whole=False):
    """These parts of the file of a name have these digests; with `whole` it has no other parts."""
    path = Path(__file__).parent / "golden" / f"{name}.json"
    recorded = json.loads(path.read_text("utf-8"))
    others = {} if whole else {part: recorded[part] for part in recorded if part not in digests}
    if os.environ.get("WALLSIM_WRITE_GOLDEN") == "1":
        recorded = others | digests
        path.write_text(json.dumps(recorded, indent=2) + "\n", "utf-8")
    assert recorded == others | digests
