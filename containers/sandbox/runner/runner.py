"""
One jailed Python process: it restricts itself, imports what everybody imports, waits for one order, runs it, and exits.

Descriptor 3 carries the order in (a line of JSON) and events out; descriptor 4 takes the result. Nothing here is
trusted by the parent: the code that runs shares this process and may say what it likes, about itself.
"""

import importlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import mounts  # noqa: E402
import restrictions  # noqa: E402
import subreaper  # noqa: E402

CONTROL, RESULT = 3, 4
# Importing these takes half a second, which a process that waits for its order has behind it.
IMPORTED = ("pandas", "pyarrow", "requests", "definite_sdk.client")


def main():
    plan = json.loads(sys.argv.pop())
    missing = enter_jail(plan)
    work(missing, import_all(plan["packages"], IMPORTED))


def work(missing, run_dataset):
    """Runs one order and exits. `missing`: the restrictions that could not be set."""
    control = os.fdopen(os.dup(CONTROL), "rb", buffering=0)
    send({"event": "ready", "lacks": missing})
    line = read_line(control)
    if line:
        run_dataset(json.loads(line), send, RESULT)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that the code left running do not keep the process alive.
    os._exit(0)


def enter_jail(plan, life=None):
    """
    In this order: mounts need root's rights, the subreaper has to see the uid change from outside, and the bridge opens
    sockets that the restrictions refuse. `life` is for the subreaper. Returns the restrictions that could not be set.
    """
    own_uid = plan["uid"] is not None
    own_processes = enter_mounts(plan["mounts"])
    if plan["subreaper"]:
        subreaper.fork(plan["uid"], life)
    if own_uid:
        restrictions.drop(plan["uid"], plan["group"])
    os.chdir(os.environ["HOME"])
    if plan["proxyBridge"] is not None:
        import proxy_bridge

        proxy_bridge.start(plan["proxyBridge"]["port"], plan["proxyBridge"]["path"])
    restrictions.limit(plan["limits"], own_uid or not plan["subreaper"])
    return restrict(plan, "/proc" if own_processes else f"/proc/{os.getpid()}")


def enter_mounts(wanted):
    """Whether /proc shows the worker's own processes alone."""
    if wanted is None:
        return False
    try:
        return mounts.enter(wanted)
    except OSError as error:
        sys.exit(f"no mounts of its own ({error.strerror})")


def restrict(plan, processes):
    """The restrictions that could not be set. Whether that matters, the parent finds out by its check of the jail."""
    missing = []
    landlock = plan["landlock"]
    if landlock is not None:
        readable = [*landlock["readable"], processes, *restrictions.own_limits()]
        try:
            restrictions.landlock(readable, landlock["writable"], landlock["ports"])
        except OSError as error:
            missing.append(f"landlock: {error}")
    try:
        restrictions.seccomp(shares_network=plan["proxyBridge"] is None)
    except (OSError, KeyError) as error:
        missing.append(f"seccomp: {error}")
    return missing


def import_all(packages, names):
    """Returns the function that runs a dataset. The code finds the packages on its path, and not this folder."""
    sys.path.remove(HERE)
    sys.path[0:0] = packages
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    sys.path.insert(0, HERE)
    import dataset

    sys.path.remove(HERE)
    return dataset.run


def send(event):
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


if __name__ == "__main__":
    main()
