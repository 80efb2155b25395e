"""The sheets to print in the documentation are those of the register."""

from makers import tonight


def test_the_printed_sheets_have_the_texts_of_today():
    page, printed = tonight.page_of_sheets(), tonight.FILE.read_bytes()
    assert page.count("<main>") == page.count("</main>") == len(tonight.SIZES)
    assert tonight.stamp(page) in printed, "run .ci/maker tonight"
    assert tonight.stamp(page.replace("VP", "points")) not in printed
    assert printed.count(b"/Type /Page\n") == len(tonight.SIZES)  # one side of paper each
    assert len(printed) < 100_000
