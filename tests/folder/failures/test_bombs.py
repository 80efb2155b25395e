"""Small inputs that grow without bounds: each is refused within seconds, little memory and few lines."""

import json
import subprocess
import sys

import pytest

from tests.folder.failures.bombs import BYTES, SECONDS, names

MOST_LETTERS = 40_000  # of a message
READ = ("casts: sessions", "journal: documents")  # long, but sound


@pytest.fixture(scope="module")
def ends(tmp_path_factory, request):
    """How reading each input ended, in processes that may take a gigabyte and ten CPU seconds."""
    place = tmp_path_factory.mktemp("bombs")
    wanted = sorted({item.callspec.params["name"] for item in request.session.items if item.path == request.path})
    words = [sys.executable, "-m", "tests.folder.failures.bombs", str(place), *wanted]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("name", names())
def test_it_is_refused_in_time_and_in_few_words(ends, name):
    end = ends[name]
    assert end["how"] == ("read" if name in READ else "refused"), end
    assert end["cpu"] < SECONDS
    assert end["grown"] < BYTES
    assert end["lines"] <= 52
    assert end["letters"] < MOST_LETTERS
