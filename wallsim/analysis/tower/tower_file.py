"""A tower as the text of a file for `--tower FILE`."""

from __future__ import annotations

from wallsim.escaping import in_toml
from wallsim.rules.tower import TowerModel

HEADLINE = "# wallsim tower"  # how a file of ours begins, which may be written again


def tower_text(tower: TowerModel, remark: str = "") -> str:
    """The TOML of a tower: headline, a remark of one line, model, numbers, source and evidence.

    `load_tower` gives the same numbers back to the last digit. ValueError if the remark is not one line of printable
    text.
    """
    if remark and not remark.isprintable():
        raise ValueError(f"remark: {remark!r} is not one line of printable text")
    lines = [f"{key} = {in_toml(value)}" for key, value in tower.numbers().items()]
    lines.append(f"source = {in_toml(tower.source)}")
    if tower.evidence:
        texts = (f"  {in_toml(text)}," for text in tower.evidence)
        lines += ["evidence = [", *texts, "]"]
    return "\n".join([f"{HEADLINE}{f': {remark}' if remark else ''}", *lines, ""])
