"""A client answers requests of the test, one JSON object a line, until its input ends."""

import base64
import datetime
import decimal
import json
import sys
import traceback
import uuid

UTC = datetime.timezone.utc


def serve(operations):
    """`operations`: functions by name; each takes the request's arguments and answers what JSON holds."""
    out = sys.stdout
    sys.stdout = sys.stderr
    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"id": request["id"], "answer": operations[request["op"]](**request["args"])}
        except Exception as error:
            traceback.print_exc()
            answer = {"id": request["id"], "error": f"{type(error).__name__}: {error}"[:4000]}
        print(json.dumps(answer), file=out, flush=True)


def table_of(columns, rows):
    """`rows`: in the columns' order."""
    return {"columns": list(columns), "rows": [[text_of(value) for value in row] for row in rows]}


def text_of(value):
    """A value as the test compares it: texts, lists of them, and null. An object's fields are in order, a map's are sorted."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"float:{value!r}"
    if isinstance(value, (int, uuid.UUID)):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S.%f")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(name): text_of(each) for name, each in value.items()}
    if hasattr(value, "asDict"):
        return {name: text_of(each) for name, each in value.asDict().items()}
    return [text_of(each) for each in value]
