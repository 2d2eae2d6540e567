"""Writes every event of an organization into a file of JSON lines, each once and in order.

Needs `pip install cloudevents==2.2.0`, and an account that may read the history. With the argument `once` it ends when there is
nothing new.
"""

import base64
import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from cloudevents.core.formats.json import JSONFormat

SITE = os.environ["ANNALS_URL"]
ARCHIVE = os.environ.get("ARCHIVE", "archive.ndjson")
LOGIN = base64.b64encode(f"{os.environ['ANNALS_EMAIL']}:{os.environ['ANNALS_KEY']}".encode()).decode()
ONCE = sys.argv[1:] == ["once"]


def call(method, path, **fields):
    url, body = f"{SITE}/api/v1/feed/consumers{path}", urlencode(fields)
    if method == "GET":
        url, body = f"{url}?{body}", ""
    request = Request(url, body.encode() or None, {"Authorization": f"Basic {LOGIN}"}, method=method)
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:
        answer = json.load(error)
        if answer["code"] == "CONSUMER_EXISTS":
            return answer
        raise SystemExit(answer["msg"]) from error


def position(event):
    return int(event.get_id().split("/")[1])


def last_position():
    try:
        with open(ARCHIVE) as lines:
            return max((int(json.loads(line)["id"].split("/")[1]) for line in lines), default=0)
    except FileNotFoundError:
        return 0


call("POST", "", name="archive", view="domain", **{"from": "beginning"})
last = last_position()
with open(ARCHIVE, "a") as archive:
    while True:
        taken = call("GET", "/archive/events", limit=1000, wait=0 if ONCE else 60)
        for written in taken["events"]:
            event = JSONFormat().read(None, json.dumps(written))
            if position(event) > last:
                line = {"id": event.get_id(), "type": event.get_type(), "time": event.get_time().isoformat(), "data": event.get_data()}
                archive.write(json.dumps(line) + "\n")
                last = position(event)
        # The disk has the events before the server forgets that they are due.
        archive.flush()
        os.fsync(archive.fileno())
        if taken["events"]:
            call("POST", "/archive/ack", through=taken["cursor"])
        elif ONCE and int(taken["cursor"].split("/")[1]) >= taken["head"]:
            break
