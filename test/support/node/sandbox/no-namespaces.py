"""
Runs a program as an ordinary container does: whoever it is, it gets no namespaces and mounts nothing.
argv: the program and its arguments.
"""

import ctypes
import os
import platform
import struct
import sys

# mount, umount2, pivot_root, unshare, setns; then with one number everywhere: open_tree to fspick, mount_setattr.
CALLS = {"x86_64": (165, 166, 155, 272, 308), "aarch64": (40, 39, 41, 97, 268)}[platform.machine()]
CALLS += (428, 429, 430, 431, 432, 433, 442)
CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
CLONE3, NAMESPACES = 435, 0x7E020000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026

program = [(LOAD, 0, 0, 0), (EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ENOSYS)]
for call in CALLS:
    program += [(EQUAL, 0, 1, call), (RETURN, 0, 0, EPERM)]
program += [(EQUAL, 0, 3, CLONE), (LOAD, 0, 0, 16), (ANY_BIT, 0, 1, NAMESPACES)]
program += [(RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW)]
filters = b"".join(struct.pack("=HBBI", *step) for step in program)
buffer = ctypes.create_string_buffer(filters, len(filters))
libc = ctypes.CDLL(None, use_errno=True)
of_program = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, of_program, 0, 0) != 0:
    raise OSError(ctypes.get_errno(), "seccomp")
os.execvp(sys.argv[1], sys.argv[1:])
