"""Pages in Chromium: the report and the page on a run, and `open_page`, which opens one as a reader would.

A test of a page needs two fixtures, and no browser of its own:

- `page_folder`, where the report's pages and `run.html` lie; other pages may be written beside them, once a session.
- `open_page(path, width=390, dark=True)`, which returns a page of Playwright. Its test fails if any page that it opened
  asks for anything beyond files of this machine, or writes to the console, a refusal by the page's policy included.

`axe_violations(page)` of `tests/browser/looks.py` and its neighbours say what is wrong with an open page.
"""

import shutil

import pytest

from wallsim.analyses.strategy_report.pages import write_report
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.html.folder import folder_page
from wallsim.report.html.sheets import write_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = ["--no-sandbox", "--disable-background-networking"]
HEIGHT = {390: 844, 1280: 900}  # of screens, by their width


def pytest_itemcollected(item):
    """All tests of this folder need a browser."""
    item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """Chromium, as it is found on the path."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"there is none of {', '.join(BROWSERS)} on the path")
    from playwright.sync_api import sync_playwright  # other runs of tests need no browser

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory):
    """The report, and `run.html` on a run in which one policy has the printed line-ups."""
    folder = tmp_path_factory.mktemp("pages") / "report"
    write_report(folder)
    play_run(Experiment(games=1_200, seed=4), folder.parent / "run")
    write_page(folder_page(folder.parent / "run"), folder / "run.html", "--out")
    return folder


@pytest.fixture
def open_page(browser, page_folder):
    """Opens a page without a network: `open_page(path, width=1280, dark=False, text=100, scripts=True)`.

    `path` is relative to `page_folder`, with an anchor where one is wanted; `text` is the size of text in per cent.
    """
    contexts, wrong = [], []

    def opened(path, width=1280, dark=False, text=100, scripts=True):
        context = browser.new_context(
            viewport={"width": width, "height": HEIGHT.get(width, 900)}, offline=True, java_script_enabled=scripts,
            color_scheme="dark" if dark else "light", accept_downloads=True,
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"{path} writes {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"{path} fails with {error}"))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or wrong.append(request.url))
        page.goto(f"{page_folder.as_uri()}/{path}")
        if text != 100:
            page.evaluate("size => { document.documentElement.style.fontSize = `${size}%`; }", text)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
