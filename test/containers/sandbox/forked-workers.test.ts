// Workers that are forked from one process share what it imported, and nothing of each other.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { aDataset, startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

/** A wheel of one module that says where it is from. */
const WHEEL = `
import sys, zipfile
folder, name, version = sys.argv[1:]
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
    wheel.writestr(f"{name}/__init__.py", "import os, sys\\nwhere = [os.getuid() == 0, sys.argv[0].split('/')[-1]]\\n__version__ = '%s'\\n" % version)
    wheel.writestr(f"{name}-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    wheel.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{name}-{version}.dist-info/RECORD", "")
`;

let platform: RunPlatformStandIn;
let sandbox: Sandbox;
let wheels: string;
beforeAll(async () => {
  wheels = mkdtempSync(join(tmpdir(), "fjord-wheels-"));
  for (const [name, version] of [
    ["idna", "99.0"],
    ["greeting", "1.0"],
  ] as const)
    execFileSync("python3", ["-c", WHEEL, wheels, name, version]);
  platform = await new RunPlatformStandIn().start();
  // bubblewrap's workers are programs of their own.
  sandbox = await startSandbox(platform, { SANDBOX_JAIL: "landlock", PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels });
}, 360_000);
afterAll(async () => {
  expect(sandbox.printed()).not.toMatch(/sandbox\.fork_server_failed/);
  expect(await sandbox.stop()).toBe(0);
  await platform.stop();
  rmSync(wheels, { recursive: true });
});

const resultOf = (executionId: string) =>
  JSON.parse(platform.objects.get(`team/results/${executionId}`)!.toString()) as unknown;
const ran = async (code: string, requirements: string[] = []) => {
  const report = await sandbox.python(code, { requirements });
  expect(report.error).toBeNull();
  return resultOf(report.executionId);
};

/** Process ids of the sandbox's fork servers that are alive. */
const forkServers = (): number[] =>
  execFileSync("ps", ["-eo", "pid,ppid,stat,args"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state, ...args]) => {
      const isOurs = Number(parent) === sandbox.pid && !state!.startsWith("Z");
      return isOurs && args.some((arg) => arg.endsWith("fork_server.py"));
    })
    .map(([pid]) => Number(pid));

const theForkServer = async (): Promise<number> => {
  await ran("result = 1");
  await expect.poll(forkServers).toHaveLength(1);
  return forkServers()[0]!;
};

describe("a forked worker", () => {
  it("draws other random values than any other one", async () => {
    const code = `
import os, pandas, random, secrets, ssl, tempfile, uuid, multiprocessing
import duckdb, numpy, pyarrow.compute
result = [random.random(), random.SystemRandom().random(), float(numpy.random.rand()), float(numpy.random.default_rng().random()),
  float(pandas.Series(range(10**6)).sample(1).iloc[0]), str(uuid.uuid1()), str(uuid.uuid4()), secrets.token_hex(8), os.urandom(8).hex(),
  ssl.RAND_bytes(8).hex(), next(tempfile._get_candidate_names()), multiprocessing.current_process().authkey.hex(),
  *duckdb.sql("select random(), uuid()::text").fetchall()[0], pyarrow.compute.random(1)[0].as_py()]`;
    const runs = (await Promise.all([ran(code), ran(code), ran(code)])) as unknown[][];
    expect(new Set(runs.flat()).size).toBe(runs.flat().length);
    expect(runs.flat()).toHaveLength(3 * 15);
  });

  it("has the descriptors of a worker, and no other", async () => {
    const code = `
import os
targets = {}
for name in os.listdir("/proc/self/fd"):
    try: targets[int(name)] = os.readlink(f"/proc/self/fd/{name}")
    except OSError: pass
result = [[targets[at].split("/")[-1].split(":")[0] for at in range(4)], sorted(targets), len({targets[at] for at in (1, 2, 3)})]`;
    // The fifth is a copy of the third.
    expect(await ran(code)).toEqual([["null", "socket", "socket", "socket"], [0, 1, 2, 3, 4, 5], 3]);
  });

  it("has signals as any program has them at its start, no thread but OpenBLAS's, and its own temporary folder", async () => {
    const code = `
import os, signal, tempfile, threading
blocked = [int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
changed = [one.name for one in signal.Signals if signal.getsignal(one) != signal.SIG_DFL]
result = [blocked, changed, threading.active_count(), len(os.listdir("/proc/self/task")), tempfile.gettempdir() == os.environ["TMPDIR"], os.getcwd() == os.environ["HOME"], os.getsid(0) == os.getpid()]`;
    expect(await ran(code)).toEqual([
      [],
      ["SIGINT", "SIGPIPE", "SIGXFSZ"],
      1,
      Math.min(2, availableParallelism()),
      true,
      true,
      true,
    ]);
  });

  it("finds in its memory and environment nothing that another one was told", async () => {
    const search = `
import ctypes, os, re
patterns = [re.compile(rb"canary-[0-9a-f]{24}"), re.compile(rb"run:[0-9a-f]{32}@127")]
found = [set() for _ in patterns]
for line in open("/proc/self/maps"):
    where, rights, *_ = line.split()
    if not rights.startswith("rw") or "[v" in line: continue
    start, end = (int(one, 16) for one in where.split("-"))
    for one, pattern in zip(found, patterns): one.update(pattern.findall(ctypes.string_at(start, end - start)))
result = [*map(len, found), os.environ.get("OF_A_RUN", "") != ""]`;
    const runId = crypto.randomUUID();
    const canary = `canary-${"0123456789abcdef".repeat(2).slice(0, 24)}`;
    await sandbox.call(
      "PUT",
      `/runs/${runId}/envelope`,
      JSON.stringify({ environmentVariables: { OF_A_RUN: canary } }),
    );
    const first = await sandbox.run([aDataset(search)], { runId, hasEnvelope: true });
    expect(first.datasets[0]!.error).toBeNull();
    // A run's variables and its own token to the proxy are found by the search.
    expect(resultOf(first.datasets[0]!.executionId)).toEqual([1, 1, true]);
    expect(await Promise.all([ran(search), ran(search), ran(search)])).toEqual(Array(3).fill([0, 1, false]));
  });

  it("imports a doc's own packages after it is jailed, also those that it would else find imported", async () => {
    const code = (name: string) => `import ${name}\nresult = [${name}.__version__, *${name}.where]`;
    expect(await ran(code("greeting"), ["greeting==1.0"])).toEqual(["1.0", false, "fork_server.py"]);
    expect(await ran(code("idna"), ["idna==99.0"])).toEqual(["99.0", false, "runner.py"]);
    expect(await ran("import sys, idna\nresult = [idna.__version__ == '99.0', 'greeting' in sys.modules]")).toEqual([
      false,
      false,
    ]);
  });
});

describe("a fork server", () => {
  it("has one thread, no secret and no descriptor of a run, and grows by no run", async () => {
    const server = await theForkServer();
    const anonymousMb = () =>
      Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${server}/status`, "utf8"))![1]) / 1024;
    const before = anonymousMb();
    await Promise.all(Array.from({ length: 12 }, (_, at) => ran(`result = ${at}`)));
    expect(anonymousMb() - before).toBeLessThan(4);
    expect(readdirSync(`/proc/${server}/task`)).toHaveLength(1);
    // 0 to 2, and where it listens.
    await expect.poll(() => readdirSync(`/proc/${server}/fd`).length).toBe(4);
    expect(readFileSync(`/proc/${server}/environ`, "latin1")).not.toMatch(/SECRET|TOKEN|PROXY/i);
    expect(readFileSync(`/proc/${server}/status`, "utf8")).toMatch(/Seccomp:\s+2/);
  });

  it("that is killed takes no run with it, and the next runs are served by another one", async () => {
    const server = await theForkServer();
    const dataset = aDataset("import sys, time\nprint('begun', flush=True)\ntime.sleep(2)\nresult = sys.argv[0][-14:]");
    const running = sandbox.run([dataset]);
    await expect.poll(() => platform.text(dataset.executionId)).toEqual(["begun"]);
    process.kill(server, "SIGKILL");
    const next = await Promise.all(Array.from({ length: 5 }, (_, at) => ran(`result = ${at}`)));
    expect(next).toEqual([0, 1, 2, 3, 4]);
    expect((await running).outcome).toBe("succeeded");
    expect(resultOf(dataset.executionId)).toBe("fork_server.py");
    expect(await theForkServer()).not.toBe(server);
  });

  it("ends with the sandbox, as do its workers and what they have started", async () => {
    const other = await startSandbox(platform, { SANDBOX_JAIL: "landlock" });
    const dataset = aDataset("import subprocess\nprint('begun', flush=True)\nsubprocess.run(['sleep', '987653'])");
    other.run([dataset]).catch(() => undefined);
    await expect.poll(() => platform.text(dataset.executionId)).toEqual(["begun"]);
    const left = () =>
      execFileSync("ps", ["-eo", "stat,args"], { encoding: "utf8" })
        .split("\n")
        .filter(
          (line) =>
            !line.startsWith("Z") && (line.includes(`{"starter":${other.pid},`) || line.includes("sleep 987653")),
        );
    await expect.poll(() => left().filter((line) => line.includes("sleep"))).toHaveLength(1);
    process.kill(other.pid, "SIGKILL");
    await expect.poll(left).toEqual([]);
  });

  it("that is killed leaves its workers to the sandbox, which ends them as any others", async () => {
    const server = await theForkServer();
    const dataset = aDataset("import time\nprint('begun', flush=True)\ntime.sleep(60)", { timeoutMs: 3_000 });
    const running = sandbox.run([dataset]);
    await expect.poll(() => platform.text(dataset.executionId)).toEqual(["begun"]);
    process.kill(server, "SIGKILL");
    expect((await running).datasets[0]!.error).toMatch(/ran longer than its 3000 ms/);
    expect(await ran("result = 2")).toBe(2);
  });
});
