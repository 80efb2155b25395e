"""What only an object store does: conditional writes, lines that are objects, and no answer."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.folder.object_stores import names, put
from tests.refusals import refused
from wallsim.folder import object_responses
from wallsim.folder.file_stores import file_store
from wallsim.folder.local_files import NoAnswerError

JOURNAL = "journal.jsonl"


@pytest.fixture
def impatient(monkeypatch):
    """Requests that fail are not repeated."""
    monkeypatch.setattr(object_responses, "_FIRST", {"max_retries": 0})


def test_of_many_who_create_an_object_at_once_one_succeeds(bucket):
    places = [file_store(f"{bucket}/run") for _ in range(8)]
    for round_ in range(10):
        won, begun = [], threading.Barrier(8)

        def create(number, round_=round_, won=won, begun=begun):
            begun.wait(60)
            if places[number].create(f"{round_}.json", b"%d" % number):
                won.append(number)

        all_ = [threading.Thread(target=create, args=(number,)) for number in range(8)]
        for each in all_:
            each.start()
        for each in all_:
            each.join()
        assert len(won) == 1
        assert places[0].read(f"{round_}.json") == b"%d" % won[0]


def test_a_store_that_ignores_conditions_is_refused(bucket, monkeypatch):
    import obstore

    ignoring = obstore.put
    monkeypatch.setattr(obstore, "put", lambda store, name, data, mode="overwrite": ignoring(store, name, data))
    with pytest.raises(NoAnswerError, match="If-None-Match"):
        file_store(f"{bucket}/run").create(JOURNAL, b"head\n")


@pytest.fixture
def shared(bucket):
    """A journal with a line, as two processes see it, of which the first has read it."""
    ours, theirs = file_store(f"{bucket}/run"), file_store(f"{bucket}/run")
    ours.create(JOURNAL, b"head\n")
    ours.append(JOURNAL, b"one")
    ours.read(JOURNAL)
    return ours, theirs


def test_the_journal_is_not_rewritten_over_that_of_another_process(shared):
    ours, theirs = shared
    theirs.append(JOURNAL, b"two")
    theirs.write(JOURNAL, b"new head\none\ntwo\n")
    with pytest.raises(NoAnswerError, match=JOURNAL):
        ours.write(JOURNAL, b"old head\none\n")
    assert ours.read(JOURNAL) == b"new head\none\ntwo\n"


def test_lines_that_others_add_meanwhile_are_kept(bucket, shared):
    ours, theirs = shared
    theirs.append(JOURNAL, b"two")
    ours.write(JOURNAL, b"new head\none\n")
    assert theirs.read(JOURNAL) == b"new head\none\ntwo\n"
    assert len([name for name in names(f"{bucket}/run") if ".d/" in name]) == 1


def test_lines_that_were_moved_by_a_killed_process_count_once(bucket):
    place = file_store(f"{bucket}/run")
    place.create(JOURNAL, b"head\n")
    for line in (b"one", b"two"):
        place.append(JOURNAL, line)
    put(f"{bucket}/run", JOURNAL, place.read(JOURNAL))  # before the objects of the lines were deleted
    place.append(JOURNAL, b"three")
    assert place.read(JOURNAL) == b"head\none\ntwo\nthree\n"


def test_an_answer_that_was_lost_is_no_other_process(bucket, monkeypatch):
    import obstore

    place, real = file_store(f"{bucket}/run"), obstore.put

    def twice(*words, **how):  # the package repeats a request whose answer it did not get
        real(*words, **how)
        return real(*words, **how)

    place.create(JOURNAL, b"head\n")
    monkeypatch.setattr(obstore, "put", twice)
    place.append(JOURNAL, b"one")
    assert place.read(JOURNAL) == b"head\none\n"
    place.write(JOURNAL, b"new head\none\n")
    assert place.read(JOURNAL) == b"new head\none\n"


def test_a_line_without_an_end_swallows_no_other_line(bucket):
    place = file_store(f"{bucket}/run")
    put(f"{bucket}/run", JOURNAL, b"head\nhalf a li")
    assert place.read(JOURNAL) == b"head\nhalf a li"
    place.append(JOURNAL, b"one")
    assert place.read(JOURNAL) == b"head\nhalf a li\none\n"


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"AWS_ENDPOINT_URL": "http://localhost:1"}, ("s3://b/run", "refused")),
        ({"AWS_ENDPOINT_URL": "localhost"}, ("AWS_ENDPOINT_URL", "'localhost'", "https://")),
        ({"AWS_ALLOW_HTTP": "false"}, ("s3://b/run", "AWS_ALLOW_HTTP=true")),
        ({"AWS_TIMEOUT": "soon"}, ("s3://b/run", "soon")),
        ({"AWS_SECRET_ACCESS_KEY": None}, ("s3://b/run", "credentials", "AWS_SECRET_ACCESS_KEY")),
    ],
)
def test_settings_that_lead_nowhere_are_reported(bucket, monkeypatch, impatient, settings, names):
    for name, value in settings.items():
        monkeypatch.setenv(name, value) if value is not None else monkeypatch.delenv(name)
    with refused(*names):
        file_store("s3://b/run")


@pytest.mark.parametrize(
    ("status", "named"),
    [(401, "credentials"), (403, "credentials"), (500, "of ?[31mcoffee"), (503, "of ?[31mcoffee"), (301, "AWS_REGION")],
)
def test_answers_of_a_store_are_put_into_words(bucket, monkeypatch, impatient, status, named):
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"<Error><Message>out of \x1b[31mcoffee</Message></Error>" if status >= 500 else b"")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        with refused("s3://b/run", named):
            file_store("s3://b/run")
        server.shutdown()
        thread.join()


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore", None)
    with refused("s3://b/run", "obstore", "[s3]"):
        file_store("s3://b/run")
