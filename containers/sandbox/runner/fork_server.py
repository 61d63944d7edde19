"""
The process that workers are forked from: it imports what every dataset finds before any user's code has run, and forks
a worker for each four connections that the sandbox makes to it.

It reads nothing of these connections: what a worker is told, secrets included, only that worker reads. Descriptor 0 is
open for as long as it is to fork; it ends once its workers have ended.
"""

import ctypes
import fcntl
import gc
import json
import os
import random
import select
import signal
import socket
import struct
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import runner  # noqa: E402
import restrictions  # noqa: E402

IMPORTED = (*runner.IMPORTED, "duckdb")
# The connections of a worker, in the order in which they are made.
ROLES = ("control", "stdout", "stderr", "life")
ID_BYTES = 36
LIFE = 5
# No descriptor of this process is as high as these.
_HIGH, _HIGHEST = 64, 1 << 16
_REAP_MS = 1_000
# The names under which numpy's and others' OpenBLAS have its function.
_BLAS_THREADS = ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads")


def main():
    """
    argv: {starter, socket, ports, packages} as JSON. When it is ready to fork, it writes a line of JSON to stdout: the
    names of the modules that no worker can import from elsewhere, without those of parts of packages.
    """
    plan = json.loads(sys.argv.pop())
    restrictions.prctl(restrictions.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != plan["starter"]:
        os._exit(0)
    os.closerange(3, _HIGHEST)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(plan["socket"])
    listener.listen(len(ROLES) * _HIGH)
    # Its workers may do no more than this in any jail.
    restrictions.landlock_ports(plan["ports"])
    restrictions.seccomp(shares_network=True, only_sockets=True)
    sys.path.remove(HERE)
    run_dataset = runner.import_all(plan["packages"], IMPORTED)
    blas = blas_thread_setters()
    why = what_workers_would_share()
    if why is not None:
        sys.exit(why)
    gc.collect()
    # The collector then writes to none of the pages that workers share.
    gc.freeze()
    print(json.dumps(sorted(name for name in sys.modules if "." not in name)), flush=True)
    serve(listener, plan["starter"], lambda connections: become_worker(connections, run_dataset, blas))


def what_workers_would_share():
    """Why no worker may be forked from here, or None. A thread that holds a lock at the fork holds it for ever."""
    threads = os.listdir("/proc/self/task")
    if len(threads) != 1:
        return f"{len(threads)} threads run where one is to fork"
    with open("/proc/self/maps") as maps:
        shared = [line for line in maps if line.split()[1][1::2] == "ws"]
    return f"memory would be shared: {shared[0].strip()}" if shared else None


def serve(listener, starter, become):
    """`become` turns a process that was forked into the worker of four connections."""
    waiting = select.poll()
    waiting.register(0, select.POLLIN)
    waiting.register(listener, select.POLLIN)
    connections = []
    while True:
        ready = [descriptor for descriptor, _ in waiting.poll(_REAP_MS)]
        _reap(os.WNOHANG)
        if 0 in ready:
            break
        if not ready:
            continue
        one, _ = listener.accept()
        if _pid_at_other_end(one) != starter:
            one.close()
            continue
        connections.append(one)
        if len(connections) == len(ROLES):
            fork_worker(listener, connections, become)
            connections = []
    listener.close()
    _reap(0)
    os._exit(0)


def _reap(flags):
    try:
        while os.waitpid(-1, flags)[0] != 0:
            pass
    except ChildProcessError:
        pass


def _pid_at_other_end(connection):
    return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def fork_worker(listener, connections, become):
    """The worker never returns. Where there is none, the sandbox learns it by the end of the connections."""
    try:
        child = os.fork()
    except OSError as error:
        print(f"fork: {error}", file=sys.stderr, flush=True)
        child = None
    if child == 0:
        try:
            listener.detach()
            become([one.detach() for one in connections])
        except SystemExit as leaving:
            print(leaving.code, file=sys.stderr, flush=True)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    for one in connections:
        one.close()


def become_worker(connections, run_dataset, blas):
    control, stdout, stderr, life = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, _HIGH) for one in connections]
    nothing = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    for source, target in ((nothing, 0), (stdout, 1), (stderr, 2), (control, runner.CONTROL)):
        os.dup2(source, target)
    os.dup2(life, LIFE, inheritable=False)
    os.closerange(runner.RESULT, LIFE)
    os.closerange(LIFE + 1, _HIGHEST)
    ids = {_identify(descriptor, role) for role, descriptor in zip(ROLES, (runner.CONTROL, 1, 2, LIFE))}
    with os.fdopen(os.dup(runner.CONTROL), "rb", buffering=0) as stream:
        plan = json.loads(runner.read_line(stream))
    if ids != {plan["id"]}:
        sys.exit("the connections of several workers have met")
    # The lowest free descriptor is the result's.
    if os.open(plan["resultFile"], os.O_WRONLY | os.O_NOFOLLOW) != runner.RESULT:
        sys.exit("a descriptor of the fork server is left")
    os.write(LIFE, f"{os.getpid()}\n".encode())
    forget_fork_server(plan["environment"])
    missing = runner.enter_jail(plan, LIFE)
    start_anew(blas)
    sys.path[0:0] = [folder for folder in plan["packages"] if folder not in sys.path]
    runner.work(missing, run_dataset)


def _identify(descriptor, role):
    """Each connection begins with its worker's id and its role, so that none can pass for another one's."""
    said = b""
    wanted = ID_BYTES + len(role)
    while len(said) < wanted:
        chunk = os.read(descriptor, wanted - len(said))
        if not chunk:
            os._exit(1)
        said += chunk
    if said[ID_BYTES:] != role.encode():
        sys.exit(f"a connection for {role} is one for {said[ID_BYTES:]!r}")
    return said[:ID_BYTES].decode()


def forget_fork_server(environment):
    os.environ.clear()
    os.environ.update(environment)
    if "tempfile" in sys.modules:
        sys.modules["tempfile"].tempdir = None


def start_anew(blas):
    """Everything that is random begins anew, and libraries have the threads that they have in any worker."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "multiprocessing.process" in sys.modules:
        sys.modules["multiprocessing.process"].current_process().authkey = os.urandom(32)
    threads = min(int(os.environ["OPENBLAS_NUM_THREADS"]), len(os.sched_getaffinity(0)))
    for set_threads in blas:
        set_threads(threads)


def blas_thread_setters():
    """OpenBLAS reads its variable once, when it is loaded, and has one thread at the fork: a worker sets the others."""
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "openblas" in line}
    libraries = [ctypes.CDLL(path) for path in paths]
    return [getattr(library, name) for library in libraries for name in _BLAS_THREADS if hasattr(library, name)]


main()
