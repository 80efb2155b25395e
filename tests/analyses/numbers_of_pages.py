"""The elements of a page, every number of it that has no id, and what numbers may have none."""

import re
from html.parser import HTMLParser
from xml.etree.ElementTree import TreeBuilder

VOID = {"meta", "br", "input"}
UNREAD = {"script", "style", "title", "code", "option"}  # no text, a heading again, names of files, choices
MADE = {"cite", "method", "tick"}  # a line to copy, whose numbers are above it; what was done; the axis of a chart

ROUND = r"(?:[Ss]pring|[Ss]ummer|[Ff]all|[Ww]inter) [12]|Frü\. [12]|Som\. [12]|Her\. [12]"
# What is no figure, by why it is none. A whole text is between line ends.
DECLARED = {
    "rounds of the game": ROUND,
    "numbers of players": r"[345] (?:players|\w+ bots)|players [345]|[345] Personen|seat of [345]|tables of [345]|"
    r"^[345]$",
    "places": r"places? \d+|^\d{1,2}$",
    "levels of confidence": r"95 ?% confidence|[\d,]+ (?:\(rounds\) and [\d,]+ \(winter\) )?simultaneous 95% intervals|"
    r"of simultaneous 95% intervals|\(\d+ intervals\)",
    "what is fair by the rule of the study": r"; 0 is fair|to [\d.]+ or less under every tower|end at [\d.]+ or less",
    "sizes of samples": r"[\d,]+(?: to [\d,]+)? (?:tournament )?(?:blocks|game(?:s| numbers)|casts|drafts|cases|seats|"
    r"resamples)",
    "units of scales": r"^, −1, 0 or 1|^, 1 acts first",
    "versions": r"wallsim [\d.]+|[Ee]ngine[ -][Vv]ersion \d+|\b(?:from version|von Version) \d+",
    "shares that are fair": r"(?:20|25|33) % (?:is fair|ist gerecht)|A fair share is 25 %",
    "counts of claims, tips, offers, settings and numbers": r"\d+ more (?:claims?|tips?)|\d+ of \d+ rules|^\d+ of \d+$|"
    r"(?:^|[Ww]hether )\d+ of (?:them|these rules)|(?:^|, )\d+ numbers are|"
    r"\d+ of \d+ offers to casual bots, for \d+ to|\d+ offers are known|from \d+ others|[Oo]ne of \d+ \w+|"
    r"Of \d+ numbers changed alone, \d+ are known|\d+ are known to move it for",
    "counts of what was played": r"among \d+ policies|mean of \d towers|the \d means|in \d+ other settings",
    "settings of bots and tower": r"in \d+, below it in \d+ of \d+ settings of bots and tower",
    "printed numbers of counties": r"Tax \d, grain \d, \d building sites?",
    "names of cards by their numbers": r"(?:calms|guard|peace|at most|at least|beruhigt|höchstens) \d",
    "numbers of designers": r"^\d+ → \d+$",
    "names of switches": r"\bA\d+\b",
    "names of files and policies": r"[\w/-]+\.(?:svg|csv|html|png|json|parquet)|[a-z]+-(?:noise-)?\d+p?/\w+",
    "the bids there are": r"0 or 1 Thaler|\d is the largest bid|\d ist das höchste|At 0 do not bid",
    "the size of the register": r"All [\d,]+ figures",
}


class _Maker(HTMLParser):
    """Builds the tree of a page, of which every element but those of VOID is closed."""

    def __init__(self, page):
        super().__init__()
        self.builder, self.open = TreeBuilder(), []
        self.handle_starttag("page", [])
        self.feed(page)
        self.handle_endtag("page")
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.builder.start(tag, dict(attrs))
        self.open.append(tag)
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.builder.end(tag)

    def handle_data(self, data):
        self.builder.data(data)


def tree_of(page):
    """The elements of a page, which must all be closed, as `xml.etree` has them."""
    return _Maker(page).builder.close()


def text_of(element):
    """The text of an element with all that is in it, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def undeclared(page, *texts):
    """The numbers of a page that have no id and are not declared; `texts` are taken out of it first."""
    known, found = re.compile("|".join([*map(re.escape, texts), *DECLARED.values()])), []

    def look(element, where):
        names = element.attrib
        if element.tag in UNREAD or "data-id" in names or "data-claim" in names:
            return
        if MADE & set(names.get("class", "").split()):
            return
        where = names.get("id", where)
        for text in (element.text, *(child.tail for child in element)):
            text = " ".join((text or "").split())
            found.extend([f"{where}: {text}"] if re.search(r"\d", known.sub(" ", text)) else [])
        for child in element:
            look(child, where)

    look(tree_of(page), "")
    return found
