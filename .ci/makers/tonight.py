"""Prints the sheets of groups of three, four and five without expansions into docs/tonight.pdf, a side of A4 each.

    .ci/maker tonight

Chromium prints them, so its bytes differ between machines. It has the digest of their texts, which must be those of the
register (`tests/makers/test_tonight.py`).
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path

from wallsim.analyses.strategy_report.group_sheet import SIZES, written_sheet
from wallsim.folder.commit import write_whole

FILE = Path(__file__).parents[2] / "docs" / "tonight.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_END = b"startxref"  # a comment before it moves nothing that the file lists by its place


def page_of_sheets() -> str:
    """The sheets below one another, as a page that is printed with one on each side."""
    first, *others = map(written_sheet, SIZES)
    mains = [re.sub(r"(?s).*(<main>.*</main>).*", r"\1", each) for each in others]
    page = re.sub(r"<title>.*?</title>", "<title>Wallenstein tonight</title>", first)
    return page.replace("</main>", "\n".join(["</main>", *mains]), 1)


def stamp(page: str) -> bytes:
    """The comment that names the texts of a page, whatever they look like."""
    texts = re.sub(r"<[^>]*>", " ", page.partition("<main>")[2])
    return f"% sheets {hashlib.sha256(texts.encode()).hexdigest()}\n".encode()


def main() -> int:
    """Print them, and write the file."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        print(f".ci/maker tonight: there is none of {', '.join(BROWSERS)} on the path", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright  # where there is no browser there may be none of this, either

    page = page_of_sheets()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        sheet = browser.new_page(java_script_enabled=False)
        sheet.set_content(page)
        printed = sheet.pdf(format="A4", prefer_css_page_size=True)
        browser.close()
    write_whole(FILE, (stamp(page) + _END).join(printed.rsplit(_END, 1)))
    print(f"{FILE}: {len(SIZES)} sheets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
