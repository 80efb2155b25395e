"""Where no bar can be drawn, a long count prints how much is done and how long the rest takes."""

import io
import re

from rich.console import Console

from wallsim.report import progress


def test_a_line_every_ten_seconds_says_how_long_the_rest_takes(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    written = io.StringIO()
    with progress.counted(Console(file=written, width=200), "simulated logs") as watch:
        for done in range(0, 400, 10):
            now[0] = 100 + done / 10
            watch(done, 1000)
    lines = re.findall(r"^([\d,]+) of 1,000 simulated logs, (\S+) left$", written.getvalue(), re.M)
    assert lines == [("100", "0:01:30"), ("200", "0:01:20"), ("300", "0:01:10")]
