"""What makes the first screen of a study hard to read."""

import re

from wallsim.studies.finding import MOST_ROWS, Finding

MOST_WORDS, MOST_NUMBERS, MOST_IN_A_SENTENCE = 60, 6, 30  # of a box; of words in one of its sentences
MOST_BULLETS = 3
_NUMBER = re.compile(r"(?<![\w.])(?<!± )(?<!± < )[+−-]?\d[\d,]*(?:\.\d+)?")  # with its half-width it is one
_NO_BOTS = re.compile(  # words of code and of developers' pages, in place of bots and tips
    r"\b(?:programs?|polic(?:y|ies)|experienced|(?:casual|strong) (?:play(?:ers?)?|games|tables?)|sayings?|"
    r"lines? of play|(?:first|second) (?:line|strong)|one line|both lines|in any play|strong lines?)\b", re.IGNORECASE
)  # fmt: skip
_SIZE = re.compile(r"\b(?:[345]|three|four|five)(?: to (?:5|five))? (?:players|(?:casual|strong) bots)\b")
_TOWER = re.compile(r"\btowers?\b")
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


def finding_errors(finding: Finding, table: str) -> list[str]:
    """What is wrong in a first screen, one line each: too many words, numbers or rows, code names, a title's scope."""
    errors = [
        f"the title names no {what}: {finding.title}"
        for what, named in (("size of table", _SIZE), ("tower", _TOWER)) if not named.search(finding.title)
    ]  # fmt: skip
    box = " ".join(finding.sentences().values())
    words, numbers = len(box.split()), len(_NUMBER.findall(box))
    if words > MOST_WORDS:
        errors.append(f"the box has {words} words; at most {MOST_WORDS}")
    if numbers > MOST_NUMBERS:
        errors.append(f"the box has {numbers} numbers; at most {MOST_NUMBERS}")
    if len(finding.sentences()) > MOST_BULLETS:
        errors.append(f"the box has {len(finding.sentences())} bullets; at most {MOST_BULLETS}")
    for text in (finding.title, *finding.sentences().values()):
        for sentence in _SENTENCE.split(text):
            if len(sentence.split()) > MOST_IN_A_SENTENCE:
                errors.append(f"a sentence of {len(sentence.split())} words; at most {MOST_IN_A_SENTENCE}: {sentence}")
        if "`" in text or "_" in text:
            errors.append(f"a code name: {text}")
        if found := _NO_BOTS.search(text):
            errors.append(f"{found[0]!r} in place of bots: {text}")
    rows = sum(line.startswith("|") for line in table.splitlines()) - 2
    if rows > MOST_ROWS:
        errors.append(f"the table has {rows} rows; at most {MOST_ROWS}")
    return errors
