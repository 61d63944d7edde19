"""One jailed Python process: it raises its walls, imports what everybody imports, waits for one order, obeys it, and is gone.

Descriptor 3 carries the order in (a line of JSON) and events out; descriptor 4 takes the result. Nothing here is trusted by the parent:
the code that runs shares this process and may say what it likes, about itself.
"""

import importlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import walls  # noqa: E402

CONTROL, RESULT = 3, 4
# Takes half a second, which a process that waits for its order has behind it.
IMPORTED = ("pandas", "pyarrow", "requests", "definite_sdk.client")


def main():
    cell = json.loads(sys.argv[1])
    own_uid = cell["uid"] is not None
    own_processes = False
    if cell["space"] is not None:
        import space

        try:
            own_processes = space.enter(cell["space"])
        except OSError as error:
            sys.exit(f"no mounts of its own ({error.strerror})")
    if cell["keeper"]:
        import keeper

        keeper.keep(cell["uid"])
    if own_uid:
        walls.drop(cell["uid"], cell["group"])
    os.chdir(os.environ["HOME"])
    if cell["bridge"] is not None:
        import bridge

        bridge.start(cell["bridge"]["port"], cell["bridge"]["path"])
    walls.limit(cell["limits"], own_uid or not cell["keeper"])
    lacks = raise_walls(cell, "/proc" if own_processes else f"/proc/{os.getpid()}")

    del sys.argv[1:]
    sys.path[0:0] = cell["packages"]
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
    for name in IMPORTED:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import dataset

    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
    control = os.fdopen(os.dup(CONTROL), "rb", buffering=0)
    say({"event": "ready", "lacks": lacks})
    line = read_line(control)
    if line:
        dataset.run(json.loads(line), say, RESULT)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads the code left running do not keep it alive.
    os._exit(0)


def raise_walls(cell, processes):
    """What could not be put up. Whether that matters, the parent's probe finds out."""
    lacks = []
    landlock = cell["landlock"]
    if landlock is not None:
        readable = [*landlock["readable"], processes, *walls.own_limits()]
        try:
            walls.landlock(readable, landlock["writable"], landlock["ports"])
        except OSError as error:
            lacks.append(f"landlock: {error}")
    try:
        walls.seccomp(shares_network=cell["bridge"] is None)
    except (OSError, KeyError) as error:
        lacks.append(f"seccomp: {error}")
    return lacks


def say(event):
    left = memoryview(json.dumps(event).encode() + b"\n")
    while left:
        left = left[os.write(CONTROL, left):]


def read_line(stream):
    chunks = []
    while not chunks or not chunks[-1].endswith(b"\n"):
        chunk = stream.read(1 << 16)
        if not chunk:
            return b""
        chunks.append(chunk)
    return b"".join(chunks)


main()
