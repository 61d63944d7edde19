// A fork server serves its term, and while it imports and waits it may do less than the sandbox that started it.

import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolders, readSettings, type Settings } from "../../../containers/sandbox/core/settings.ts";
import type { Jail, WorkerPlan } from "../../../containers/sandbox/jail/jail.ts";
import { ForkServers } from "../../../containers/sandbox/processes/fork-servers.ts";
import type { StartedProcess } from "../../../containers/sandbox/processes/start-worker.ts";
import { findPython, type Interpreter } from "../../../containers/sandbox/python/interpreter.ts";

let settings: Settings;
let python: Interpreter;
beforeAll(async () => {
  settings = readSettings({ SANDBOX_DIR: tmpdir() });
  await makeFolders(settings, null);
  python = await findPython(process.env);
});
afterAll(() => rmSync(settings.directory, { recursive: true }));

const drive = { isCurrent: () => true, open: () => undefined, problem: () => null, close: () => undefined };

/** A jail without packages or mounts, whose fork servers serve for this term. */
const aJail = (forkServerTerm: Settings["forkServerTerm"], more: Partial<Jail> = {}): Jail => ({
  kind: "landlock",
  settings: { ...settings, forkServerTerm },
  python,
  basePackages: [],
  proxy: { socket: "", port: 9 },
  drive: {
    kind: "mirror",
    refresh: () => Promise.resolve(null),
    place: () => ({ directory: settings.driveDirectory, ...drive }),
    stop: () => Promise.resolve(),
  },
  firstUid: null,
  mounts: false,
  driveProblem: null,
  ...more,
});

const fork = async (servers: ForkServers): Promise<StartedProcess | null> => {
  const id = crypto.randomUUID();
  const directory = join(settings.directory, "workers", id);
  const plan: WorkerPlan = {
    id,
    uid: null,
    inputsDirectory: join(directory, "in"),
    scratchDirectory: join(directory, "scratch"),
    drive: { directory: settings.driveDirectory, ...drive },
    packages: [],
    token: "token",
  };
  const resultFile = join(settings.directory, "results", id);
  for (const folder of [plan.inputsDirectory, join(plan.scratchDirectory, "home")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(resultFile, "");
  return servers.fork(plan, resultFile);
};

/** The process that forked a worker. */
const parentOf = ({ pid }: StartedProcess): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

const end = async (worker: StartedProcess): Promise<void> => {
  worker.control.destroy();
  worker.stdout.resume();
  worker.stderr.resume();
  worker.stop();
  await worker.closed;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a fork server", () => {
  it("is replaced after so many workers, and ends when the last of them has ended", async () => {
    const servers = new ForkServers(aJail({ workers: 2, ms: 600_000 }));
    const workers = [await fork(servers), await fork(servers), await fork(servers)].map((worker) => worker!);
    const [first, second, third] = workers.map(parentOf);
    expect([second === first, third === first]).toEqual([true, false]);
    await end(workers[0]!);
    expect([isAlive(first!), isAlive(workers[1]!.pid)]).toEqual([true, true]);
    await end(workers[1]!);
    await expect.poll(() => isAlive(first!)).toBe(false);
    await end(workers[2]!);
    await servers.stop();
    expect(isAlive(third!)).toBe(false);
  });

  it("is replaced after so long", async () => {
    const servers = new ForkServers(aJail({ workers: 1_000, ms: 1 }));
    const workers = [await fork(servers), await fork(servers)].map((worker) => worker!);
    expect(parentOf(workers[0]!)).not.toBe(parentOf(workers[1]!));
    await Promise.all(workers.map(end));
    await servers.stop();
  });

  it("forks for the sandbox's process alone, though another of its user can connect", async () => {
    const servers = new ForkServers(aJail({ workers: 9, ms: 600_000 }));
    const before = await fork(servers);
    const [socket] = readdirSync(join(settings.directory, "forks")).map((name) =>
      join(settings.directory, "forks", name),
    );
    const code = `
import socket, sys
said = []
for role in ("control", "stdout", "stderr", "life", "control", "stdout"):
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(20)
    one.connect(sys.argv[1])
    try:
        one.sendall(b"0" * 36 + role.encode())
        said.append(one.recv(100).decode())
    except OSError as error: said.append("")
print(said)`;
    const answer = await promisify(execFile)(python.command, ["-c", code, socket!]);
    expect(answer.stdout.trim()).toBe("['', '', '', '', '', '']");
    const after = await fork(servers);
    expect(parentOf(after!)).toBe(parentOf(before!));
    await Promise.all([before!, after!].map(end));
    await servers.stop();
  });

  it("that can't start leaves workers to be started by Node, and is not tried again at once", async () => {
    const command = join(settings.directory, "no-python");
    writeFileSync(command, `#!/bin/sh\necho x >> ${settings.directory}/tried\necho "no Python" >&2\nexit 1\n`, {
      mode: 0o755,
    });
    const servers = new ForkServers(aJail({ workers: 9, ms: 600_000 }, { python: { ...python, command } }));
    expect([await fork(servers), await fork(servers)]).toEqual([null, null]);
    expect(readFileSync(join(settings.directory, "tried"), "utf8")).toBe("x\n");
    await servers.stop();
  });

  it("is not used where a jail begins with a program of its own, nor where there is none", async () => {
    for (const kind of ["bwrap", "bare"] as const) {
      const servers = new ForkServers(aJail({ workers: 9, ms: 600_000 }, { kind }));
      expect(await fork(servers)).toBeNull();
      await servers.stop();
    }
  });
});

describe("what a fork server's process may do", () => {
  const runner = () => join(settings.directory, "runner");
  const inServer = (code: string, ...args: string[]): string =>
    execFileSync(
      python.command,
      ["-I", "-B", "-c", `import sys\nsys.path.insert(0, sys.argv[1])\n${code}`, runner(), ...args],
      { encoding: "utf8" },
    );

  it("is to connect to the proxy's port, and nothing else of a network", async () => {
    const [proxy, other] = [createServer((one) => one.end()), createServer((one) => one.end())];
    for (const server of [proxy, other]) await once(server.listen(0, "127.0.0.1"), "listening");
    const ports = [proxy, other].map((server) => String((server.address() as AddressInfo).port));
    const code = `
import restrictions, socket
ports = [int(one) for one in sys.argv[2:]]
restrictions.landlock_ports(ports[:1])
restrictions.seccomp(shares_network=True, only_sockets=True)
def attempt(work):
    try: work(); return "could"
    except PermissionError: return "refused"
def listen():
    with socket.socket() as one: one.listen(1)
print(attempt(lambda: socket.create_connection(("127.0.0.1", ports[0]), 5)), attempt(lambda: socket.create_connection(("127.0.0.1", ports[1]), 5)),
  attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)), attempt(lambda: socket.socket(socket.AF_UNIX)), attempt(listen))`;
    expect(inServer(code, ...ports).trim()).toBe("could refused refused refused refused");
    for (const server of [proxy, other]) server.close();
  });

  it.each([
    [
      "a thread more",
      "import threading, time\nthreading.Thread(target=time.sleep, args=(5,), daemon=True).start()",
      /2 threads run/,
    ],
    ["memory that is shared", "import mmap\nx = mmap.mmap(-1, 4096)", /memory would be shared/],
    ["neither", "", /^None$/],
  ])("is not to fork where a package has left it with %s", (_name, left, expected) => {
    const code = `
source = open(sys.argv[1] + "/fork_server.py").read().rsplit("main()", 1)[0]
names = {"__name__": "fork_server", "__file__": sys.argv[1] + "/fork_server.py"}
exec(source, names)
${left}
print(names["what_workers_would_share"](), flush=True)
import os
os._exit(0)`;
    expect(inServer(code).trim()).toMatch(expected);
  });
});
