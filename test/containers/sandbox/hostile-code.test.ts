// Code that means harm: each piece is held, reported as its dataset's own error, and the next run knows nothing of it.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { aDataset, startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

const canary = "canary-of-the-parent-7c1f";
let platform: RunPlatformStandIn;
let sandbox: Sandbox;
beforeAll(async () => {
  platform = await new RunPlatformStandIn().start();
  sandbox = await startSandbox(platform, {
    SANDBOX_MEMORY_MB: "768",
    SANDBOX_DISK_MB: "64",
    SANDBOX_FILE_MB: "64",
    SANDBOX_DIR: tmpdir(),
    CANARY: canary,
  });
  console.log(
    `The jail here: ${sandbox.jail.kind}${sandbox.jail.strong ? "" : " (weak)"}, without: ${sandbox.jail.lacks.join("; ") || "nothing"}.`,
  );
}, 360_000);
afterAll(async () => {
  await sandbox.stop();
  await platform.stop();
});

/**
 * Python processes of this sandbox that run code, warm ones not counted: the runner's command line names its folder.
 */
const busyWorkers = () =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("sleep 987654")).length;

afterEach(async () => {
  const next = await sandbox.python("import pandas as pd\nresult = pd.DataFrame({'a': [1]})");
  expect(next).toMatchObject({ success: true, error: null });
  expect(busyWorkers()).toBe(0);
  expect(sandbox.printed()).not.toContain("internal_error");
});

/** Reads a byte of every second megabyte of memory that nobody ever wrote. */
const mapping = (gigabytes: number) => `
import mmap
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
x = mmap.mmap(-1, ${gigabytes} << 30, flags=flags, prot=mmap.PROT_READ)
x.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, len(x), 2 << 20): x[at]`;

describe("code that takes too much", () => {
  it.each([
    [
      "a fork bomb",
      "import os\nwhile True:\n    os.fork()",
      /Resource temporarily unavailable|ran longer|memory|killed/,
      3_000,
    ],
    [
      "a fork bomb that swallows errors",
      "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
      /ran longer|memory|killed/,
      3_000,
    ],
    [
      "threads without end",
      "import threading, time\nfor _ in range(10_000): threading.Thread(target=time.sleep, args=(60,)).start()",
      /can't start new thread/,
    ],
    ["10 GB in one piece", "x = bytearray(10 * 1024**3)", /^MemoryError/],
    ["10 GB bit by bit", "x = []\nwhile True: x.append(bytearray(50_000_000))", /^MemoryError|memory together/],
    [
      "10 GB over many processes",
      "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        x = bytearray(400_000_000)\n        for at in range(0, len(x), 4096): x[at] = 1\n        time.sleep(60)\ntime.sleep(60)",
      /memory/,
    ],
    [
      "shared memory",
      "import mmap, time\nx = mmap.mmap(-1, 3 * 1024**3)\nfor at in range(0, len(x), 4096): x[at] = 1\ntime.sleep(60)",
      /memory/,
    ],
    [
      "memory that no process maps",
      "import os\nfor _ in range(4):\n    one = os.memfd_create('x')\n    for _ in range(400): os.write(one, bytes(1_000_000))",
      /not permitted/,
    ],
    [
      "memory that outlives its process",
      "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nif libc.shmget(0, 1 << 20, 0o1600) < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))",
      /not permitted/,
    ],
    ["page tables of one process", mapping(256), /Cannot allocate memory/],
    [
      "page tables of many processes",
      `import os, time\nfor _ in range(11):\n    if os.fork() == 0: break\n${mapping(60)}\ntime.sleep(60)`,
      /memory/,
      60_000,
    ],
    [
      "large buffers to send",
      "import socket\nsocket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)",
      /not permitted/,
    ],
    [
      "large buffers to receive",
      "import socket\nsocket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)",
      /not permitted/,
    ],
    [
      "sockets of many processes",
      "import os, socket, time\nfor _ in range(19):\n    if os.fork() == 0: break\nheld = [socket.socketpair() for _ in range(240)]\ntime.sleep(60)",
      /memory/,
      60_000,
    ],
    [
      "one file without end",
      "with open('big', 'wb') as file:\n    while True: file.write(bytes(1_000_000))",
      /File too large|No space left|wrote more than|process was killed/,
    ],
    [
      "many files",
      "import time\nfor n in range(100):\n    with open(f'file{n}', 'wb') as file: file.write(bytes(5_000_000))\ntime.sleep(60)",
      /No space left|wrote more than/,
    ],
    ["open files without end", "files = [open('/dev/zero') for _ in range(100_000)]", /Too many open files/],
    ["time", "while True: pass", /ran longer than its 2000 ms/, 2_000],
    ["a result without end", "result = 'x' * 200_000_000", /File too large|process was killed|ran longer/],
    ["recursion", "def f(): f()\nf()", /RecursionError/],
    ["a stack in C", "import ctypes\nctypes.string_at(0)", /process was killed/],
  ])("is stopped, and says at what: %s", async (_name, code, message, timeoutMs = 8_000) => {
    const report = await sandbox.python(code, { timeoutMs });
    expect(report).toMatchObject({ success: false, error: expect.stringMatching(message) });
  });

  it("may serve and start others as Python's library does: asyncio, multiprocessing, threads", async () => {
    const code = `
import asyncio, multiprocessing, socket, threading
async def echo():
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    reader, writer = await asyncio.open_connection(sock=ours)
    await asyncio.to_thread(theirs.sendall, b"hello")
    return (await reader.readexactly(5)).decode()
context = multiprocessing.get_context("fork")
with context.Pool(2) as pool: squares = pool.map((2).__pow__, [1, 2, 3])
threads = [threading.Thread(target=list) for _ in range(40)]
for one in threads: one.start()
for one in threads: one.join()
result = [asyncio.run(echo()), squares]`;
    const report = await sandbox.python(code);
    expect(report.error).toBeNull();
    const result: unknown = JSON.parse(platform.objects.get(`team/results/${report.executionId}`)!.toString());
    expect(result).toEqual(["hello", [2, 4, 8]]);
  });

  it("may print without end, of which a part is kept", async () => {
    const dataset = aDataset("import sys\nwhile True: sys.stdout.write('y' * 100_000)", { timeoutMs: 2_000 });
    const { datasets } = await sandbox.run([dataset]);
    expect(datasets[0]!.error).toMatch(/ran longer/);
    expect(platform.text(dataset.executionId).join("").length).toBeLessThanOrEqual(1024 * 1024);
  });

  it("leaves no process behind, however it hides it", async () => {
    const code = `
import os, subprocess, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "987654"])
        os._exit(0)
subprocess.Popen(["sleep", "987654"], start_new_session=True)
time.sleep(0.5)
result = 1`;
    expect(await sandbox.python(code)).toMatchObject({ success: true });
    expect(busyWorkers()).toBe(0);
    expect(await sandbox.python(`${code}\ntime.sleep(60)`, { timeoutMs: 2_000 })).toMatchObject({ success: false });
    expect(busyWorkers()).toBe(0);
  });
});

describe("code that looks around", () => {
  const attempt = (code: string) => `
result = []
def attempt(name, work):
    try: result.append([name, str(work())[:20000]])
    except BaseException as error: pass
import os, socket, glob
${code}`;
  const found = async (code: string, internet = false) => {
    const report = await sandbox.python(attempt(code), {}, { internet });
    expect(report.error).toBeNull();
    return JSON.parse(platform.objects.get(`team/results/${report.executionId}`)!.toString()) as [string, string][];
  };

  it("finds no secret of the parent in processes' environments, memory or commands", async () => {
    const everything = await found(`
try: pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
except OSError: pids = range(1, 40000)
for pid in pids:
    for name in ("environ", "cmdline", "maps"):
        attempt(f"{pid} {name}", lambda: open(f"/proc/{pid}/{name}").read())
attempt("parent environment", lambda: open("/proc/${sandbox.pid}/environ").read())
attempt("parent memory", lambda: open("/proc/${sandbox.pid}/mem", "rb").read(1))
attempt("own", lambda: dict(os.environ))`);
    const text = JSON.stringify(everything);
    expect(text).not.toContain(sandbox.secret);
    expect(text).not.toContain(canary);
    expect(text).not.toContain("run-token");
    expect(everything.map(([name]) => name)).toContain("own");
    expect(everything.map(([name]) => name)).not.toContain("parent environment");
  });

  it("can't signal, trace or stop the parent", async () => {
    const kinds = await found(`
import signal, ctypes
attempt("kill", lambda: os.kill(${sandbox.pid}, 9))
attempt("stop", lambda: os.kill(${sandbox.pid}, signal.SIGSTOP))
attempt("group", lambda: os.killpg(${sandbox.pid}, 9))
for pid in (1, os.getppid()):
    attempt("init", lambda: os.kill(pid, 9)) if pid != os.getpid() and ${sandbox.jail.kind === "bwrap" ? "False" : "True"} else None
def trace():
    if ctypes.CDLL(None, use_errno=True).ptrace(16, ${sandbox.pid}, 0, 0) != 0: raise OSError()
attempt("trace", trace)`);
    expect(kinds).toEqual([]);
    process.kill(sandbox.pid, 0);
  });

  it("reaches no port of this machine, no engine, no metadata service, and sends no datagram", async () => {
    const engine = createServer((socket) => socket.end("engine"));
    await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
    const port = (engine.address() as AddressInfo).port;
    try {
      const reached = await found(`
def dial(host, port):
    with socket.create_connection((host, port), timeout=2) as s: return "open"
for host, port in [("127.0.0.1", ${port}), ("127.0.0.1", ${new URL(sandbox.url).port}), ("127.0.0.1", ${new URL(platform.url).port}), ("169.254.169.254", 80), ("1.1.1.1", 443)]:
    attempt(f"{host}:{port}", lambda: dial(host, port))
def datagram():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53))
attempt("udp", datagram)
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("netlink", lambda: socket.socket(16, socket.SOCK_RAW, 0))
attempt("mptcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))`);
      expect(reached).toEqual([]);
    } finally {
      engine.close();
    }
  });

  it("reaches no Unix socket of this machine, by path or by name, and nobody on the machine reaches it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fjord-open-"));
    chmodSync(folder, 0o777);
    const path = join(folder, "open.sock");
    const listeners = [path, `\0fjord-open-${process.pid}`].map((place) =>
      createServer((socket) => socket.end("a service")).listen(place),
    );
    await Promise.all(listeners.map((listener) => once(listener, "listening")));
    chmodSync(path, 0o777);
    try {
      const reached = await found(`
def ask(place):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(2)
        s.connect(place)
        return s.recv(100)
attempt("path", lambda: ask("${path}"))
attempt("name", lambda: ask("\\0fjord-open-${process.pid}"))
attempt("pair", lambda: socket.socketpair()[0].close())
def listen():
    with socket.socket() as s:
        s.listen(1)
${sandbox.jail.kind === "bwrap" ? "" : 'attempt("listen", listen)'}`);
      expect(reached.map(([name]) => name)).toEqual(["pair"]);
    } finally {
      listeners.forEach((listener) => listener.close());
      rmSync(folder, { recursive: true });
    }
  });

  it("finds the files of no other run, and can't leave any for it", async () => {
    const secret = "of-the-first-run-5d21";
    const first = await sandbox.python(
      `import os\nopen('mine', 'w').write('${secret}')\nopen(os.path.join(os.environ['TMPDIR'], 'mine'), 'w').write('${secret}')\nresult = os.getcwd()`,
    );
    expect(first.error).toBeNull();
    const seen = await found(`
def walk(top):
    return [open(os.path.join(folder, name), errors="replace").read(200) for folder, _, names in os.walk(top) for name in names[:50]]
for top in (os.getcwd(), os.environ["TMPDIR"], "${tmpdir()}", "/run", "/var/lib", "/home", "/root", "/dev/shm"):
    attempt(top, lambda: walk(top))`);
    expect(JSON.stringify(seen)).not.toContain(secret);
    const written = await found(`
for place in ("/usr/x", "/etc/x", "/run/x", "/var/x", "/home/user/drive/x", "/x", "${tmpdir()}/fjord-was-here"):
    attempt(place, lambda: open(place, "w").write("x"))`);
    // A dataset may write to the jail's own temporary file system, which shares nothing with the host's.
    expect(written.filter(([place]) => !place.startsWith(tmpdir()))).toEqual([]);
    expect(() => readFileSync(`${tmpdir()}/fjord-was-here`)).toThrow();
  });

  it("gains nothing by links: results, inputs and the drive stay what they are", async () => {
    platform.put("team", "notes/plan.txt", "the plan");
    const links = await found(`
for target in ("/etc/shadow", "/proc/${sandbox.pid}/environ", "${process.cwd()}/package.json"):
    attempt(target, lambda: (os.symlink(target, "link"), open("link").read())[1])
    attempt("clean", lambda: os.unlink("link"))
for folder in glob.glob("/tmp/fjord-sandbox-*/results") + glob.glob("${tmpdir()}/fjord-sandbox-*/workers"):
    attempt(folder, lambda: os.listdir(folder))`);
    expect(links.filter(([name]) => name !== "clean")).toEqual([]);
  });

  it("holds no privilege it could use: uid, capabilities, set-uid programs, namespaces", async () => {
    const powers = await found(`
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(result):
    if result != 0: raise OSError()
attempt("root", lambda: os.setuid(0) or os.geteuid()) if os.geteuid() != 0 else result.append(["is root", ""])
attempt("mount", lambda: call(libc.mount(b"none", b"/tmp", b"tmpfs", 0, 0)))
attempt("unshare", lambda: call(libc.unshare(0x10000000)))
attempt("chroot", lambda: os.chroot("."))
attempt("device", lambda: os.mknod("device", 0o60666, 0x800))`);
    expect(powers).toEqual([]);
  });
});

describe("the drive", () => {
  it("is there to read, follows what changes, and can't be written", async () => {
    platform.put("team", "in/a.txt", "one");
    const read = (path: string) => `result = open("/home/user/drive/${path}").read()`;
    const first = await sandbox.python(read("in/a.txt"));
    expect(platform.objects.get(`team/results/${first.executionId}`)?.toString()).toBe('"one"');
    platform.put("team", "in/a.txt", "two");
    const second = await sandbox.python(read("in/a.txt"));
    expect(platform.objects.get(`team/results/${second.executionId}`)?.toString()).toBe('"two"');
    platform.drive.delete("in/a.txt");
    expect((await sandbox.python(read("in/a.txt"))).error).toMatch(/FileNotFoundError/);
    platform.put("team", "in/b.txt", "x");
    expect((await sandbox.python('open("/home/user/drive/in/b.txt", "a").write("y")')).error).toMatch(
      /Read-only|Permission/,
    );
  });

  it("may hold a zip bomb, which fills nothing but its dataset's own disk", async () => {
    platform.put("team", "bomb.zip", zipOf("bomb.bin", Buffer.alloc(200 * 1024 * 1024)));
    const report = await sandbox.python('import zipfile\nzipfile.ZipFile("/home/user/drive/bomb.zip").extractall(".")');
    expect(report).toMatchObject({
      success: false,
      error: expect.stringMatching(/File too large|No space left|wrote more than|drive|process was killed/),
    });
    platform.drive.clear();
  });
});

/** A zip archive of one file, as the format wants it. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const crc = crc32(content);
  const common = Buffer.alloc(26);
  for (const [value, at] of [
    [20, 0],
    [0, 2],
    [8, 4],
    [0, 6],
    [0, 8],
  ] as const)
    common.writeUInt16LE(value, at);
  common.writeUInt32LE(crc, 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
