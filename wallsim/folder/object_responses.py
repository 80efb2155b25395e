"""Opening an object store by the settings of the environment, and what its errors mean."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from functools import cache
from types import ModuleType
from typing import Any

from wallsim.errors import InputError, how_to_install
from wallsim.folder.address import Url

_SETTINGS = ("AWS_", "GOOGLE_", "AZURE_")  # beginnings of the environment variables that describe a store
_NO_BUCKET = ("NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist")
_ENDPOINT = re.compile(r"https?://[^\s/]+")
_SHOWN = 200  # characters of an answer in a message
# The first request finds out whether there is such a store at all; later ones have patience with a network that fails.
_FIRST: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}
_LATER: Any = {"max_retries": 10, "retry_timeout": timedelta(seconds=120)}

Settings = tuple[tuple[str, str], ...]


def settings_here() -> Settings:
    """The environment variables that describe a store and the credentials for it."""
    return tuple(sorted((key, value) for key, value in os.environ.items() if key.upper().startswith(_SETTINGS)))


def package_for(folder: Url) -> ModuleType:
    """The package obstore; InputError without it."""
    try:
        import obstore
        import obstore.store
    except ImportError:
        raise InputError(f"{folder}: needs the package obstore; {how_to_install('s3')}") from None
    return obstore


@cache  # connections stay open
def opened(folder: Url, settings: Settings) -> Any:
    """The store of obstore for a folder with the settings of the environment, which are given to notice changes.

    InputError without such a bucket, and if the store does not answer or refuses.
    """
    obstore = package_for(folder)
    for key, value in settings:
        if "ENDPOINT" in key.upper() and not _ENDPOINT.match(value):
            raise InputError(f"{key}: {value!r} is not the address of a server, such as https://localhost:9000")
    try:
        first = obstore.store.from_url(folder, retry_config=_FIRST)
        next(iter(obstore.list(first, chunk_size=1)), None)
        return obstore.store.from_url(folder, retry_config=_LATER)
    except (obstore.exceptions.BaseError, OSError) as error:
        raise InputError(f"{folder}: cannot be used: {reason(error)}") from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the package's own, for settings that it did not foresee
            raise
        raise InputError(f"{folder}: cannot be used: {error}") from None


def is_without_bucket(error: BaseException) -> bool:
    """Whether an error of obstore says that there is no such bucket."""
    return any(code in str(error) for code in _NO_BUCKET)


def reason(error: BaseException) -> str:
    """What an error of obstore means, in words that a terminal may show."""
    return "".join(letter if letter.isprintable() else "?" for letter in _reason(error))


def _reason(error: BaseException) -> str:
    text = str(error)
    kind = type(error).__name__
    if is_without_bucket(error):
        return "there is no such bucket"
    if "169.254.169.254" in text or "metadata.google.internal" in text or "Missing" in text:
        return "there are no credentials; set those of the store, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if kind in ("PermissionDeniedError", "UnauthenticatedError") or re.search(r"status code: 40[13]\b", text):
        return "the store refuses access; check the credentials, and what they allow"
    if "incorrectly configured region" in text:
        return "the bucket is in another region; set AWS_REGION"
    if "BadScheme" in text:
        return "the endpoint is http, not https; set AWS_ALLOW_HTTP=true if that is meant"
    if kind == "NotSupportedError" or "status code: 501" in text:
        return "the store lacks what is needed, such as conditional writing"
    said = re.search(r"<Message>(.*?)</Message>", text) or re.search(r"status code: (\d+[^:\n]*)", text)
    if said:
        return f"the store answers: {said[1][:_SHOWN]}"
    last = text.partition("\n")[0].rpartition(" - ")[2]
    return f"there is no answer; {_cause(text)}" if "error sending request" in last else last[:_SHOWN]


def _cause(text: str) -> str:
    if "TimedOut" in text:
        return "the time is up"
    refused = re.search(r'message: "([^"]*)"', text)
    return (refused[1] if refused else "check the address and the network")[:_SHOWN]
