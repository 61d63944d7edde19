// On whatever machine and as whoever it runs: datasets find their packages and the drive, and fill nothing.

import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultCacheDirectory } from "../../../containers/sandbox/core/settings.ts";
import { installBwrap, machinesHere } from "../../support/node/sandbox/machines.ts";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

const [memoryMb, diskMb, files] = [512, 256, 2_000];

/** This dataset's code runs alike in every jail. */
const PACKAGES = `
import os, duckdb, pandas as pd, pyarrow as pa, requests
from definite_sdk import DefiniteClient
frame = pd.DataFrame({"n": [1, 2, 3]})
total = duckdb.sql("SELECT sum(n) AS total FROM frame").df()["total"][0]
table = duckdb.sql("SELECT n FROM frame WHERE n > 1").arrow().read_all()
assert pa.compute.sum(table["n"]).as_py() == 5
me = requests.get(os.environ["SERVICE_API_BASE_URL"] + "/v4/me", timeout=10)
result = [int(total), me.status_code, DefiniteClient().api_key]`;

const READS = `
import duckdb, pandas as pd
path = "/home/user/drive/sales/may.csv"
by_duckdb = duckdb.sql(f"SELECT sum(amount) FROM '{path}'").fetchall()[0][0]
try: wrote = open("/home/user/drive/new", "w")
except OSError as error: wrote = "refused"
result = [int(pd.read_csv(path)["amount"].sum()), int(by_duckdb), wrote]`;

/** Names the drive's folder only as it runs. */
const FINDS = `
import os, pathlib
home = pathlib.Path("/home") / "user"
found = sorted(str(path.relative_to(home)) for path in (home / "drive").rglob("*"))
result = [found, [names for _, _, names in os.walk(home / "drive")]]`;

/** Fills every folder that can be written, with files that are deleted, and reports by how much. */
const FILLS = `
import os, time
written, held = 0, []
for place in (os.getcwd(), os.environ["TMPDIR"], "/tmp", "/dev/shm", "/dev", "/", "/run", "/home", "/var/tmp"):
    try:
        held.append(open(os.path.join(place, "filler-of-a-test"), "wb"))
        os.unlink(held[-1].name)
        while written < ${2 * diskMb} << 20:
            written += held[-1].write(bytes(1 << 20))
    except OSError as error:
        print(place, error)
time.sleep(0 if written <= ${diskMb} << 20 else 30)
result = written >> 20`;

const COUNTS = `
import os, time
made = 0
for place in (os.getcwd(), os.environ["TMPDIR"], "/dev/shm"):
    try:
        for at in range(${2 * files}):
            open(os.path.join(place, f"of-a-test-{at}"), "w").close()
            made += 1
    except OSError as error:
        print(place, error)
time.sleep(0 if made <= ${files} else 30)
result = made`;

const HOLDS = `
import time
x = b"x" * (${memoryMb - 200} << 20)
with open("big", "wb") as file:
    for _ in range(${diskMb - 4}): file.write(bytes(1 << 20))
time.sleep(30)`;

const machines = machinesHere();
let path: string;
beforeAll(async () => void (path = await installBwrap()), 360_000);
console.log(`A sandbox is tested as: ${machines.map(({ name }) => name).join("; ")}.`);

describe.each(machines)("as $name", ({ jail, mounts, drive, through }) => {
  let platform: RunPlatformStandIn;
  let sandbox: Sandbox;
  beforeAll(async () => {
    platform = await new RunPlatformStandIn().start();
    const bounds = {
      SANDBOX_MEMORY_MB: String(memoryMb),
      SANDBOX_DISK_MB: String(diskMb),
      SANDBOX_FILES: String(files),
    };
    sandbox = await startSandbox(
      platform,
      { ...bounds, PATH: path, SANDBOX_JAIL: jail, SANDBOX_CACHE_DIR: defaultCacheDirectory(), TMPDIR: "/tmp" },
      through,
    );
  }, 360_000);
  afterAll(async () => {
    expect(await sandbox.stop()).toBe(0);
    await platform.stop();
    expect(existsSync("/home/user/drive")).toBe(false);
  });

  const ran = async (code: string) => {
    const report = await sandbox.python(code, { timeoutMs: 30_000 });
    return (
      report.error ?? (JSON.parse(platform.objects.get(`team/results/${report.executionId}`)!.toString()) as unknown)
    );
  };

  it("holds code in that jail, and says whether it lacks mounts and the drive", () => {
    expect(sandbox.jail.kind).toBe(jail);
    expect([
      sandbox.jail.lacks.some((lack) => lack.startsWith("mounts")),
      sandbox.jail.lacks.some((lack) => lack.startsWith("the drive")),
    ]).toEqual([!mounts, !drive]);
  });

  it(jail === "landlock" ? "forks its workers" : "starts each worker as a program of its own", async () =>
    expect(await ran("import sys\nresult = sys.argv[0].split('/')[-1]")).toBe(
      jail === "landlock" ? "fork_server.py" : "runner.py",
    ),
  );

  it("has pandas, pyarrow, DuckDB, requests and the SDK at work", async () =>
    expect(await ran(PACKAGES)).toEqual([6, 200, "run-key"]));

  it(
    drive
      ? "shows an uploaded file at its path to pandas and DuckDB, and what came since"
      : "fails what reads the drive, and says why and what to do",
    async () => {
      platform.put("team", "sales/may.csv", "day,amount\n1,10\n2,32\n");
      if (!drive) {
        const why = expect.stringMatching(
          /drive can't be shown at \/home\/user\/drive here: this machine refused a mount namespace.*sudo install/,
        );
        return void expect([await ran(READS), await ran(FINDS)]).toEqual([why, why]);
      }
      expect(await ran(READS)).toEqual([42, 42, "refused"]);
      platform.put("team", "sales/may.csv", "day,amount\n1,11\n2,32\n");
      expect(await Promise.all([ran(READS), ran(FINDS)])).toEqual([
        [43, 43, "refused"],
        [
          ["drive/sales", "drive/sales/may.csv"],
          [[], ["may.csv"]],
        ],
      ]);
    },
  );

  it("fails what looks for files where the drive can't be listed", async () => {
    platform.drivesDown = true;
    expect(await ran(FINDS)).toMatch(drive ? /could not be read just now/ : /can't be shown/);
    platform.drivesDown = false;
  });

  it("bounds what a dataset writes, wherever that is, and how many files", async () => {
    // In no jail the machine's own folders are writable.
    const [made, written] = await Promise.all([ran(COUNTS), jail === "bare" ? diskMb : ran(FILLS)]);
    // Without mounts it is stopped a little later.
    const stopped = expect.stringMatching(/wrote more than/);
    if (!mounts) return void expect([made, written]).toEqual([stopped, stopped]);
    expect(made).toBeLessThanOrEqual(files);
    expect(written).toBe(diskMb);
  });

  if (mounts)
    it("counts files in memory with memory", async () =>
      expect(await ran(HOLDS)).toMatch(/more than 512 MB of memory together, \d+ MB of it in files/));

  it("leaves nothing in the machine's folders", () => {
    for (const folder of ["/", "/dev", "/run", "/home", "/dev/shm"])
      expect(readdirSync(folder).filter((name) => name.includes("of-a-test"))).toEqual([]);
  });
});
