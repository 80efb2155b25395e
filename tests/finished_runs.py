"""Fixtures: small finished runs with every table, played once and copied for tests that damage them."""

import logging
import shutil
import threading
import urllib.request
import uuid

import pytest

from tests.folder.object_stores import STORED, put
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

SMALL = Experiment(
    policies="random", games=2300, seed=11, seasons=True, battles=True, counties=True, plans=True, chunk=500
)
# The first edition with every expansion, so that every column exists.
EVERYTHING = Experiment(
    policies="random", players=3, games=330, seed=6, edition="1e", expansions="all", seasons=True, battles=True,
    counties=True, plans=True, chunk=100,
)  # fmt: skip


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """The finished run; do not change it."""
    return play_run(SMALL, tmp_path_factory.mktemp("runs") / "small", workers=2)


@pytest.fixture(scope="session")
def full_run(tmp_path_factory):
    """The finished run of EVERYTHING; do not change it."""
    return play_run(EVERYTHING, tmp_path_factory.mktemp("runs") / "full", workers=2)


@pytest.fixture
def spoilt(small_run, tmp_path):
    """A copy of the run's folder that a test may damage."""
    shutil.copytree(small_run.folder, tmp_path / "spoilt")
    return tmp_path / "spoilt"


@pytest.fixture
def write(tmp_path):
    """The function that writes a text into an experiment file, and returns its path."""

    def write(text):
        path = tmp_path / "x.toml"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def store_server():
    """The address of an object store with S3's interface in this process; it keeps nothing on the disk."""
    pytest.importorskip("obstore", reason="object stores need the package obstore (wallsim[s3])")
    moto = pytest.importorskip("moto.server", reason="the tests of object stores need the package moto[server]")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it tells of every request
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    serve, one_at_a_time = server._server.app, threading.Lock()

    def atomically(environ, start_response):
        """Without this two conditional writes at once could both succeed: moto checks and writes in two steps."""
        with one_at_a_time:
            return serve(environ, start_response)

    server._server.app = atomically
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(store_server, monkeypatch):
    """The address of an empty bucket, for which the environment has the settings and credentials."""
    settings = {
        "AWS_ENDPOINT_URL": store_server, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing",
    }  # fmt: skip
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    name = f"bucket-{uuid.uuid4().hex[:12]}"
    with urllib.request.urlopen(urllib.request.Request(f"{store_server}/{name}", method="PUT")):
        return f"s3://{name}"


@pytest.fixture(scope="session")
def on_disk(tmp_path_factory):
    """The finished run of STORED on a disk; do not change it."""
    return play_run(STORED, tmp_path_factory.mktemp("disk") / "run", workers=2)


@pytest.fixture
def stored(bucket, on_disk):
    """The address of the same run in an object store, copied there file by file."""
    folder = f"{bucket}/run"
    for path in on_disk.folder.rglob("*"):
        if path.is_file():
            put(folder, path.relative_to(on_disk.folder).as_posix(), path.read_bytes())
    return folder
