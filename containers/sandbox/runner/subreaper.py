"""
Where no process namespace ends with its first process: a parent that adopts what the jailed process leaves behind, and
lives just long enough to end it.
"""

import fcntl
import os
import signal
import socket

import restrictions

_SIGNALS = {signal.SIGTERM, signal.SIGCHLD, signal.SIGIO}


def fork(uid, life):
    """
    Returns in the child, which is to be jailed. The parent never returns: it exits after the child, or on SIGTERM, or
    when the process that it belongs to is gone. `life` is the descriptor of a socket whose other end that process keeps
    open; None where that process is its own parent.
    """
    starter = os.getppid()
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    restrictions.prctl(restrictions.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        os.setsid()
        if life is not None:
            os.close(life)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        return
    # The starter holds the other ends of these, and waits for them to close.
    for descriptor in (0, 1, 2, 3, 4):
        os.close(descriptor)
    is_alone = _watch_parent(starter) if life is None else _watch_socket(life)
    status = None
    while status is None and not is_alone():
        received = signal.sigtimedwait(_SIGNALS, 1)
        if received is not None and received.si_signo == signal.SIGTERM:
            break
        status = _reap(child)
    _end_all(uid, child)
    os._exit(0 if status is None else os.waitstatus_to_exitcode(status) & 0xFF)


def _watch_parent(starter):
    restrictions.prctl(restrictions.PR_SET_PDEATHSIG, signal.SIGTERM)
    return lambda: os.getppid() != starter


def _watch_socket(life):
    """The kernel sends SIGIO when the other end is closed, so that this is noticed at once."""
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    connection = socket.socket(fileno=life)

    def is_closed():
        try:
            return connection.recv(1) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return is_closed


def _reap(child):
    """The child's status if it has ended. Its orphans are reaped as well."""
    ended = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        if pid == child:
            ended = status


def _end_all(uid, child):
    """Every descendant becomes our child when its parent ends, so none is left once there is nobody to wait for."""
    while True:
        if uid is None:
            _kill_children()
        else:
            _kill_uid(uid)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill_uid(uid):
    killer = os.fork()
    if killer == 0:
        # A signal from root would reach every process; one from this uid reaches all that the worker could have
        # started.
        os.setresuid(uid, uid, uid)
        try:
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


def _kill_children():
    with open(f"/proc/self/task/{os.getpid()}/children") as children:
        for pid in children.read().split():
            try:
                os.killpg(int(pid), signal.SIGKILL)
            except OSError:
                pass
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
