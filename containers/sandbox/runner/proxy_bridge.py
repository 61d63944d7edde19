"""
The only connection out of an empty network: a port of its loopback, whose bytes go to the socket file where the
parent's proxy listens.
"""

import os
import selectors
import socket

_CHUNK = 1 << 16


def start(port, path):
    """Forks the process that carries the bytes; when this returns, the port listens."""
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    if os.fork() != 0:
        listener.close()
        return
    for descriptor in (0, 1, 2, 3, 4):
        os.close(descriptor)
    try:
        _carry(listener, path)
    finally:
        os._exit(0)


def _carry(listener, path):
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ)
    peers, pending = {}, {}

    def watch(one):
        """A side is read only while what came from it before has been passed on."""
        events = (selectors.EVENT_WRITE if pending[one] else 0) | (0 if pending[peers[one]] else selectors.EVENT_READ)
        try:
            waiting.modify(one, events) if events else waiting.unregister(one)
        except KeyError:
            if events:
                waiting.register(one, events)

    def close(one):
        other = peers.pop(one)
        del peers[other]
        for side in (one, other):
            try:
                waiting.unregister(side)
            except KeyError:
                pass
            side.close()
            del pending[side]

    while True:
        for key, events in waiting.select():
            one = key.fileobj
            if one is listener:
                inner, _ = listener.accept()
                outer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                try:
                    outer.connect(path)
                except OSError:
                    inner.close()
                    outer.close()
                    continue
                peers[inner], peers[outer] = outer, inner
                for side in (inner, outer):
                    side.setblocking(False)
                    pending[side] = b""
                    waiting.register(side, selectors.EVENT_READ)
                continue
            if one not in peers:
                continue
            other = peers[one]
            try:
                if events & selectors.EVENT_WRITE and pending[one]:
                    pending[one] = pending[one][one.send(pending[one]):]
                if events & selectors.EVENT_READ and not pending[other]:
                    read = one.recv(_CHUNK)
                    if not read:
                        close(one)
                        continue
                    pending[other] = read
            except BlockingIOError:
                pass
            except OSError:
                close(one)
                continue
            watch(one)
            watch(other)
