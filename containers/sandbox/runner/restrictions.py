"""
The restrictions a process puts on itself before it runs a line of anyone's code: limits, Landlock, seccomp. Standard
library and system calls only.
"""

import ctypes
import os
import platform
import resource
import struct

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# Address space: far more than libraries reserve, and so little that page tables of unwritten pages end at 128 MB.
_ADDRESS_SPACE_BYTES = 64 << 30


def prctl(option, value):
    if _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def limit(limits, counts_processes):
    """
    `limits`: memoryBytes, processes, openFiles, fileBytes. Processes are counted by uid: only where the uid is ours
    alone.
    """
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: max(_ADDRESS_SPACE_BYTES, 2 * limits["memoryBytes"]),
        resource.RLIMIT_DATA: limits["memoryBytes"],
        resource.RLIMIT_NOFILE: limits["openFiles"],
        resource.RLIMIT_FSIZE: limits["fileBytes"],
        resource.RLIMIT_MEMLOCK: 1 << 20,
    }
    if counts_processes:
        wanted[resource.RLIMIT_NPROC] = limits["processes"]
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def drop(uid, group):
    """Becomes `uid` for good, one of `group`."""
    os.setgroups([group])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


# ── Landlock ───────────────────────────────────────────────────────────────────────────────────────────────────────

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_PATH, _PORT, _CONNECT = 1, 2, 2


def landlock_abi():
    return max(0, _libc.syscall(_CREATE_RULESET, None, 0, 1))


def landlock(readable, writable, ports):
    """
    Only these paths can be reached, and only these TCP ports be connected to; binding, abstract sockets and signals out
    are denied.
    """
    abi = landlock_abi()
    if abi < 1:
        raise OSError("the kernel has no Landlock")
    files = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    fields = [files] + ([3] if abi >= 4 else []) + ([3] if abi >= 6 else [])
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for path, rights in [(path, _READ) for path in readable] + [(path, files & ~_IOCTL_DEV) for path in writable]:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        allowed = rights & files & (~0 if os.path.isdir(path) else _OF_FILES)
        _add(ruleset, _PATH, struct.pack("=Qi", allowed, handle))
        os.close(handle)
    for port in ports if abi >= 4 else []:
        _add(ruleset, _PORT, struct.pack("=QQ", _CONNECT, port))
    _restrict_self(ruleset)


def landlock_ports(ports):
    """
    Only these TCP ports can be connected to, and none be bound. A process that is restricted so may still mount and
    restrict itself further. Does nothing where the kernel has no such rules.
    """
    if landlock_abi() < 4:
        return
    attributes = struct.pack("=2Q", 0, 3)
    ruleset = _libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for port in ports:
        _add(ruleset, _PORT, struct.pack("=QQ", _CONNECT, port))
    _restrict_self(ruleset)


def _restrict_self(ruleset):
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if _libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
    os.close(ruleset)


def _add(ruleset, kind, rule):
    if _libc.syscall(_ADD_RULE, ruleset, kind, rule, 0) != 0:
        raise OSError(ctypes.get_errno(), "landlock_add_rule")


def own_limits():
    """
    The files that say to a process how much memory and CPU its control groups have. DuckDB looks for them, and ends the
    process where they are there and can't be read; of other groups, and of who is in one, they say nothing.
    """
    groups = {""}
    try:
        with open("/proc/self/cgroup") as file:
            groups.update(line.rstrip("/\n").split(":", 2)[2] for line in file)
    except OSError:
        pass
    names = ["{}/cpu.max", "{}/memory.max", "/memory{}/memory.limit_in_bytes"]
    names += ["/cpu{}/cpu.cfs_quota_us", "/cpu{}/cpu.cfs_period_us"]
    return ["/sys/fs/cgroup" + name.format(group) for group in groups for name in names]


# ── Seccomp ────────────────────────────────────────────────────────────────────────────────────────────────────────

# architecture → its audit number, the calls whose arguments are looked at, and those that are refused outright:
# ptrace, process_vm_*, mounts, namespaces, bpf, userfaultfd, perf, keys, io_uring, fanotify, modules, handles; then
# memory that no process need show, and that may outlive all of them: memfd, secret memory, pages given to a pipe,
# System V's and POSIX's queues and segments.
_MACHINES = {
    "x86_64": (0xC000003E, 41, 56, 50, 54, (
        101, 310, 311, 165, 166, 155, 428, 429, 430, 431, 432, 442, 272, 308, 321, 323, 298, 250, 248, 249,
        425, 426, 427, 300, 175, 313, 176, 303, 304, 319, 447, 278, 29, 30, 64, 68, 240,
    )),
    "aarch64": (0xC00000B7, 198, 220, 201, 208, (
        117, 270, 271, 40, 39, 41, 428, 429, 430, 431, 432, 442, 97, 268, 280, 282, 241, 219, 217, 218, 425,
        426, 427, 262, 105, 273, 106, 264, 265, 279, 447, 75, 194, 196, 190, 186, 180,
    )),
}
_CLONE3 = 435
_SOL_SOCKET = 1
# SO_SNDBUF, SO_RCVBUF and those that force them: what a socket holds is memory of no process.
_BUFFER_OPTIONS = (7, 8, 32, 33)
_NAMESPACES = 0x7E020000
_ALLOW, _EPERM, _ENOSYS, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4


def _argument(index):
    return 16 + 8 * index


def seccomp(shares_network, only_sockets=False):
    """
    No sockets but Unix ones and plain TCP (no UDP, no MPTCP, which Landlock does not see), with buffers of no other
    size than the machine's, no tracing, no new namespaces. Where the network and its names are the machine's, no Unix
    sockets but pairs, and nobody listens: Landlock sees neither a connection to a socket that has a path, nor the port
    that listening takes by itself. `only_sockets` leaves all other calls to a process that will need them.
    """
    machine, socket_call, clone_call, listen_call, option_call, refused = _MACHINES[platform.machine()]
    if only_sockets:
        refused = ()
    if shares_network:
        refused = (*refused, listen_call)
    unix = "eperm" if shares_network else "allow"
    # (operation, operand, jump if true, jump if false); a jump is a label or the next instruction.
    program = [
        (_LOAD, _ARCHITECTURE), (_EQUAL, machine, None, "kill"),
        (_LOAD, _NUMBER), (_AT_LEAST, 0x40000000, "eperm", None),
        (_EQUAL, _CLONE3, "enosys", None), (_EQUAL, clone_call, "clone", None), (_EQUAL, socket_call, "socket", None),
        (_EQUAL, option_call, "option", None),
        *[(_EQUAL, call, "eperm", None) for call in refused],
        (_RETURN, _ALLOW),
        "clone", (_LOAD, _argument(0)), (_ANY_BIT, _NAMESPACES, "eperm", "allow"),
        "socket", (_LOAD, _argument(0)), (_EQUAL, 1, unix, None),
        (_EQUAL, 2, "inet", None), (_EQUAL, 10, "inet", "eperm"),
        "inet", (_LOAD, _argument(1)), (_AND, 15), (_EQUAL, 1, None, "eperm"),
        (_LOAD, _argument(2)), (_EQUAL, 0, "allow", None), (_EQUAL, 6, "allow", "eperm"),
        "option", (_LOAD, _argument(1)), (_EQUAL, _SOL_SOCKET, None, "allow"),
        (_LOAD, _argument(2)), *[(_EQUAL, option, "eperm", None) for option in _BUFFER_OPTIONS],
        "allow", (_RETURN, _ALLOW), "eperm", (_RETURN, _EPERM), "enosys", (_RETURN, _ENOSYS), "kill", (_RETURN, _KILL),
    ]
    labels, code = {}, []
    for step in program:
        if isinstance(step, str):
            labels[step] = len(code)
        else:
            code.append(step)
    offset = lambda label, at: 0 if label is None else labels[label] - at - 1
    filters = b"".join(
        struct.pack("=HBBI", operation, *(offset(jump, at) for jump in (jumps or (None, None))), operand)
        for at, (operation, operand, *jumps) in enumerate(code)
    )
    buffer = ctypes.create_string_buffer(filters, len(filters))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filters", ctypes.c_void_p)]

    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    filter_program = ctypes.byref(Program(len(code), ctypes.addressof(buffer)))
    if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, filter_program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")
