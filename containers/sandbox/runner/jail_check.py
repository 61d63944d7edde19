# Runs in a jail as a dataset, and tries to break out of it. `result` names what it could do.
import os, resource, socket

result = []


def reaches(what, attempt):
    try:
        attempt()
    except (OSError, ValueError):
        return
    result.append(what)


def write_outside():
    with open(os.path.join(os.path.dirname(os.environ["CHECK_FILE"]), "check-was-here"), "x"):
        pass


def connect():
    socket.create_connection(("127.0.0.1", int(os.environ["CHECK_PORT"])), timeout=2).close()


def send_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"check", ("127.0.0.1", 9))


def look_at_drive():
    folder, name = os.path.split(os.environ["CHECK_DRIVE"])
    os.listdir(folder).index(name)
    open(os.environ["CHECK_DRIVE"]).close()


parent = os.environ["CHECK_PID"]
reaches("files: others can be read", lambda: open(os.environ["CHECK_FILE"]).read())
# The parent finds out whether the written file is outside, and not in a folder of the jail's own by the same name.
reaches("wrote", write_outside)
# The drive's file must be found, which is no breach.
reaches("drive", look_at_drive)
reaches("processes: others' environment can be read", lambda: open(f"/proc/{parent}/environ").read(1))
reaches("processes: others can be signalled", lambda: os.kill(int(parent), 0))
reaches("network: other ports can be connected to", connect)
reaches("network: datagrams can be sent", send_datagram)
for name in ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NPROC"):
    if resource.getrlimit(getattr(resource, name))[0] > (1 << 40 if name != "RLIMIT_NPROC" else 4096):
        result.append(f"limits: {name} is not bounded")
