"""A tower as the text of a file that `--tower FILE` takes."""

from __future__ import annotations

import json

from wallsim.rules.tower import TowerModel

HEADLINE = "# wallsim tower"  # how a file of ours begins, which may be written anew


def tower_text(tower: TowerModel, remark: str = "") -> str:
    """The TOML of a tower: headline, a remark of one line, model, numbers, source and evidence.

    `load_tower` gives the same law back to the last digit. ValueError if the remark has several lines.
    """
    if "\n" in remark:
        raise ValueError(f"remark: {remark!r} is not one line")
    # JSON's spelling of texts, numbers and flat lists is TOML's too.
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in tower.numbers().items()]
    lines.append(f"source = {json.dumps(tower.source, ensure_ascii=False)}")
    if tower.evidence:
        texts = (f"  {json.dumps(text, ensure_ascii=False)}," for text in tower.evidence)
        lines += ["evidence = [", *texts, "]"]
    return "\n".join([f"{HEADLINE}{f': {remark}' if remark else ''}", *lines, ""])
