"""What is wrong with an open page: for assistive technology, for a narrow screen, for fingers, for a reader's eyes."""

from importlib.resources import files

RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
LEAST_LETTERS, LEAST_TARGET = 9.0, 24.0  # pixels
LEAST_CONTRAST = 4.5

_DEAD = """[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'))
    .filter(href => !document.getElementById(decodeURIComponent(href.slice(1))))"""
_WIDE = """[...document.querySelectorAll('body *')].filter(each => !each.closest('.scroll, svg'))
    .filter(each => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(each => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`)"""
_TEXTS = """[...document.querySelectorAll('svg text')].filter(text => text.checkVisibility()).map(text => {
    const box = text.getBoundingClientRect(), frame = text.closest('svg').getBoundingClientRect();
    const scale = text.closest('svg').getScreenCTM().a;
    return {words: text.textContent, size: scale * parseFloat(getComputedStyle(text).fontSize),
            outside: Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top,
                              box.bottom - frame.bottom)};
})"""
_ON_COLOUR = """least => {
    const light = colour => { const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
        .map(each => each / 255).map(each => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    return [...document.querySelectorAll('svg a text')].filter(text => {
        const pair = [text, text.parentElement.querySelector('path')].map(each => light(getComputedStyle(each).fill));
        return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05) < least;
    }).map(text => text.textContent);
}"""
_TARGETS = """least => [...document.querySelectorAll('a, button, select, summary, input')]
    .filter(each => each.checkVisibility() && !each.closest('svg'))
    .filter(each => !(each.tagName === 'A' && getComputedStyle(each).display === 'inline'))
    .filter(each => [each, each.closest('label')].filter(Boolean).map(one => one.getBoundingClientRect())
        .every(box => box.width < least || box.height < least))
    .map(each => each.outerHTML.slice(0, 80))"""


def axe_violations(page, *only):
    """What axe-core finds against the page as it is now, one line for each element; `only` names rules, else all."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    asked = {"resultTypes": ["violations"], "runOnly": list(only)} if only else RULES
    found = page.evaluate("asked => axe.run(document, asked)", asked)["violations"]
    return [f"{each['id']}: {node['html'][:120]} {node['failureSummary']}" for each in found for node in each["nodes"]]


def dead_anchors(page):
    """The links within the page that lead nowhere."""
    return page.evaluate(_DEAD)


def too_wide(page):
    """Whether the page scrolls sideways, and the elements that stick out of the screen."""
    width, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return [f"{width} px wide", *page.evaluate(_WIDE)] if width > room else []


def texts_outside(page):
    """The words that stick out of their picture, by more than a pixel."""
    return [text["words"] for text in page.evaluate(_TEXTS) if text["outside"] > 1]


def small_letters(page):
    """The words in pictures whose letters are too small to read."""
    return [f"{text['words']}: {text['size']:.1f}" for text in page.evaluate(_TEXTS) if text["size"] < LEAST_LETTERS]


def faint_letters(page):
    """The words on areas of pictures, such as codes on the map, that do not stand out from the area's colour."""
    return page.evaluate(_ON_COLOUR, LEAST_CONTRAST)


def small_targets(page):
    """The controls that are too small for a finger; links in running text are not looked at."""
    return page.evaluate(_TARGETS, LEAST_TARGET)


def misfits(page):
    """All that is too wide, cut off or too small on a page."""
    return [*too_wide(page), *texts_outside(page), *small_letters(page), *small_targets(page)]


def open_all(page):
    """Open everything on a page that can be opened; returns the page."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    return page
