"""
A worker process's mounts: one bounded file system for all that it writes, and where no other program makes it a root
of its own, its home with the drive in it. Run as a program, it makes the file system and becomes the program that makes
that root.
"""

import ctypes
import json
import os
import struct
import sys

_libc = ctypes.CDLL(None, use_errno=True)
_NEWNS, _NEWUSER = 0x20000, 0x10000000
_NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
# A recent system call, which has one number on all machines.
_MOUNT_SETATTR = 442
_ATTR_READONLY, _ATTR_NOSUID, _ATTR_NODEV, _AT_FDCWD, _AT_RECURSIVE = 1, 2, 4, -100, 0x8000
_CAPABILITIES_VERSION = 0x20080522
HOME, DRIVE = "/home/user", "/home/user/drive"
# Nobody else sees them. What starts a worker is root with few capabilities, and reaches the rest through the second
# one.
_FOLDERS = {"home": 0o755, "tmp": 0o1777, "shm": 0o1777}


def enter(wanted):
    """
    `wanted`: {scratch, bytes, files, uid, home: {drive, keep} | null}. Needs root, or a user namespace, which it then
    makes. Raises OSError with what this machine refuses. Answers whether /proc shows the worker's own processes alone.
    """
    uid = wanted["uid"]
    _unshare(uid is None)
    _mount(None, "/", None, _REC | _PRIVATE)
    scratch = wanted["scratch"]
    bounds = f"size={wanted['bytes']},nr_inodes={wanted['files']},mode=0711"
    _mount("scratch", scratch, "tmpfs", _NOSUID | _NODEV, bounds)
    for name, mode in _FOLDERS.items():
        path = f"{scratch}/{name}"
        os.mkdir(path)
        os.chmod(path, mode)
        if uid is not None:
            os.chown(path, uid, uid)
    home = wanted["home"]
    if home is None:
        return False
    _set_up_home(scratch, home["drive"], home["keep"])
    _bind(f"{scratch}/shm", "/dev/shm")
    if uid is None:
        _drop_capabilities()
        return False
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "hidepid=invisible")
    return True


def _set_up_home(scratch, drive, keep):
    """Puts the worker's home over all others of this machine, and leaves there what the worker needs of them."""
    homes = os.path.realpath(os.path.dirname(HOME))
    kept = {}
    for path in sorted({one for path in keep for one in (path, os.path.realpath(path))}):
        if path.startswith(homes + "/") and not any(path.startswith(one + "/") for one in kept) and os.path.isdir(path):
            kept[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    _mount("homes", homes, "tmpfs", _NOSUID | _NODEV, "size=64k,nr_inodes=1024,mode=0755")
    for path, handle in kept.items():
        os.makedirs(path, 0o755)
        _mount(f"/proc/self/fd/{handle}", path, None, _BIND | _REC)
        os.close(handle)
    os.makedirs(HOME, 0o755, exist_ok=True)
    _set_attributes(homes, _ATTR_READONLY)
    _bind(f"{scratch}/home", HOME)
    os.mkdir(DRIVE, 0o755)
    _bind(drive, DRIVE)
    _set_attributes(DRIVE, _ATTR_READONLY | _ATTR_NOSUID | _ATTR_NODEV)


def _unshare(as_user):
    uid, gid = os.getuid(), os.getgid()
    if _libc.unshare(_NEWNS | (_NEWUSER if as_user else 0)) != 0:
        raise _error("a mount namespace")
    if not as_user:
        return
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _bind(source, target):
    _mount(source, target, None, _BIND)


def _mount(source, target, kind, flags, options=None):
    encode = lambda text: text and text.encode()
    if _libc.mount(encode(source), encode(target), encode(kind), ctypes.c_ulong(flags), encode(options)) != 0:
        raise _error(f"mounting {target}")


def _set_attributes(path, attributes):
    arguments = struct.pack("=QQQQ", attributes, 0, 0, 0)
    if _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, path.encode(), 0, arguments, ctypes.c_size_t(len(arguments))) != 0:
        raise _error(f"mounting {path} read-only")


def _drop_capabilities():
    """The process gives up what its namespaces gave it: it stays who it was, and can mount nothing more."""
    if _libc.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24)) != 0:
        raise _error("dropping capabilities")


def _error(what):
    code = ctypes.get_errno()
    return OSError(code, f"{what}: {os.strerror(code)}")


if __name__ == "__main__":
    try:
        enter(json.loads(sys.argv[1]))
    except OSError as error:
        sys.exit(f"no mounts of its own ({error.strerror})")
    os.execv(sys.argv[2], sys.argv[2:])
