"""The long description of the package: the README without links to files, which a wheel and an index do not have.

Such a link works only where the repository is shown. No address of the repository is known here that could complete
it, so its text stays without the link, and a picture is left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")


class LongDescription(MetadataHookInterface):
    """Sets `readme` of the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the README of the source tree."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_files(text)}


def without_files(text: str) -> str:
    """A Markdown text without pictures from files, and with the text of links to files in place of these."""
    return _LINK.sub(r"\1", _PICTURE.sub("", text))
