"""Every number of a page that has no id, and what numbers may have none."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "path", "circle", "line", "rect", "input"}
UNREAD = {"script", "style", "title", "code", "option"}  # no text, a heading again, names of files, choices
MADE = {"cite", "method"}  # a line to copy, whose numbers are above it, and what was done

ROUND = r"(?:[Ss]pring|[Ss]ummer|[Ff]all|[Ww]inter) [12]|Frü\. [12]|Som\. [12]|Her\. [12]"
# What is no figure, by why it is none. A whole text is between line ends.
DECLARED = {
    "rounds of the game": ROUND,
    "numbers of players": r"[345] players|players [345]|[345] Personen|seat of [345]|tables of [345]|^[345]$",
    "places": r"places? \d+|^\d{1,2}$",
    "levels of confidence": r"95 ?% confidence|[\d,]+ (?:\(rounds\) and [\d,]+ \(winter\) )?simultaneous 95% intervals|"
    r"of simultaneous 95% intervals",
    "sizes of samples": r"[\d,]+(?: to [\d,]+)? (?:tournament )?(?:blocks|games|casts|drafts|cases|seats|resamples)",
    "versions": r"wallsim [\d.]+|[Ee]ngine[ -][Vv]ersion \d+",
    "lines of play": r"(?:exp|erf)\. 1 / (?:exp|erf)\. 2|(?:exp|erf)\. 1 (?:and|und) 2|(?:exp|erf)\. [12]",
    "shares that are fair": r"(?:20|25|33) % is fair",
    "counts of claims, sayings, settings and numbers": r"\d+ more (?:claims?|sayings?)|\d+ of \d+ rules|^\d+ of \d+$|"
    r"(?:^|whether )\d+ of (?:them|these rules)|(?:^|, )\d+ numbers are",
    "counts of what was played": r"among \d+ policies|mean of \d towers|the \d means|in \d+ other cells",
    "kinds of play and tower": r"in \d+, less in \d+ of \d+ kinds of play and tower",
    "printed numbers of counties": r"Tax \d, grain \d, \d building sites?",
    "names of cards by their numbers": r"(?:calms|guard|peace|at most|at least|beruhigt|höchstens) \d",
    "numbers of designers": r"^\d+ → \d+$",
    "names of switches": r"\bA\d+\b",
    "names of files and policies": r"[\w/-]+\.(?:svg|csv|html|png|json|parquet)|[a-z]+-(?:noise-)?\d+p?/\w+",
    "the bids there are": r"\d is the largest bid|\d ist das höchste|At 0 do not bid",
    "the size of the register": r"All [\d,]+ figures",
}


def undeclared(page, *texts):
    """The numbers of a page that have no id and are not declared; `texts` are taken out of it first."""
    known = re.compile("|".join([*map(re.escape, texts), *DECLARED.values()]))
    found = []
    for where, text in Numbers(page).texts:
        left = known.sub(" ", text)
        found += [f"{where}: {text}"] if re.search(r"\d", left) else []
    return found


class Numbers(HTMLParser):
    """The texts of a page outside elements with ids, each with the elements that it is in."""

    def __init__(self, page):
        """Reads a page."""
        super().__init__()
        self._open, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Open an element."""
        if tag not in VOID:
            self._open.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        """An element without content."""

    def handle_endtag(self, tag):
        """Close an element."""
        while self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        """Keep a text whose numbers need ids."""
        for tag, named in self._open:
            classes = set((named.get("class") or "").split())
            if tag in UNREAD or classes & MADE or "data-id" in named or "data-claim" in named:
                return
        if re.search(r"\d", data):
            ids = [named["id"] for _, named in self._open if "id" in named]
            self.texts.append((ids[-1] if ids else "", " ".join(data.split())))
