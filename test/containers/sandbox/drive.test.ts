// The team's drive in a sandbox: what every method of bringing it there must do, and what a mount does beyond.

import { execFileSync } from "node:child_process";
import { accessSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SandboxStatus } from "../../../kernel/wire/sandbox.ts";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

/** On the disk of the sandbox. */
const KEPT_MB = 200;

/** What a mount takes: a device, two programs, their setting, and root. */
const whyNoMount = (() => {
  try {
    accessSync("/dev/fuse");
    execFileSync("rclone", ["version"], { stdio: "ignore" });
    if (process.getuid?.() !== 0) return "not root";
    return /^user_allow_other$/m.test(readFileSync("/etc/fuse.conf", "utf8"))
      ? null
      : "/etc/fuse.conf does not say user_allow_other";
  } catch (error) {
    return String(error);
  }
})();
const ways = ["mirror", ...(whyNoMount === null ? ["mount"] : [])] as const;
console.log(`The drive is tested as: ${ways.join(", ")}${whyNoMount === null ? "" : ` (no mount: ${whyNoMount})`}`);

describe.each(ways)("the drive by %s", (way) => {
  let platform: RunPlatformStandIn;
  let sandbox: Sandbox;
  beforeAll(async () => {
    platform = await new RunPlatformStandIn().start();
    sandbox = await startSandbox(platform, { SANDBOX_DRIVE: way, SANDBOX_DRIVE_MB: String(KEPT_MB) });
  }, 360_000);
  afterAll(async () => {
    const point = way === "mount" ? pointOf(sandbox.pid) : undefined;
    expect(await sandbox.stop()).toBe(0);
    await platform.stop();
    if (point !== undefined) expect(readFileSync("/proc/mounts", "utf8")).not.toContain(point);
  });
  beforeEach(() => {
    platform.drive.clear();
    platform.drivesDown = false;
    platform.drivesHang = false;
  });

  const storedJson = (executionId: string) =>
    JSON.parse(platform.objects.get(`team/results/${executionId}`)!.toString()) as unknown;
  const answer = async (code: string) => {
    const report = await sandbox.python(code);
    expect(report.error).toBeNull();
    return storedJson(report.executionId);
  };

  it("is reported by the status", async () => {
    expect(sandbox.drive).toBe(way);
    expect(SandboxStatus.parse(await (await sandbox.call("GET", "/status")).json()).drive).toBe(way);
  });

  it("shows names of all kinds, with what lies below them", async () => {
    const names = [
      "plain.txt",
      "with space.txt",
      "100%.txt",
      "%2e%2e.txt",
      "ü/日本/😀.txt",
      "a&b<c>\"d'.xml",
      "q?x=1#y.csv",
      "back\\slash",
      "semi;colon:at@.txt",
      " lead",
      "trail ",
      "*[!]",
    ];
    for (const name of names) platform.put("team", `names/${name}`, name);
    platform.put("team", "names/empty", "");
    const code = `
import os
root = "/home/user/drive/names"
found = [os.path.relpath(os.path.join(folder, name), root) for folder, _, files in os.walk(root) for name in files]
result = sorted([name, open(os.path.join(root, name), encoding="utf-8").read()] for name in found)`;
    expect(await answer(code)).toEqual(
      [...names.map((name) => [name, name]), ["empty", ""]].sort(([one], [other]) =>
        Buffer.compare(Buffer.from(one!), Buffer.from(other!)),
      ),
    );
  });

  it("shows the next run a file that was replaced, even by one of the same length and time", async () => {
    const code = `result = open("/home/user/drive/state.txt").read()`;
    const seen: unknown[] = [];
    for (const content of ["first", "other", "third"]) {
      platform.put("team", "state.txt", content);
      seen.push(await answer(code));
    }
    platform.drive.delete("state.txt");
    expect(seen).toEqual(["first", "other", "third"]);
    expect((await sandbox.python(code)).error).toMatch(/No such file/);
  });

  it("is never written to", async () => {
    platform.put("team", "in/a.txt", "x");
    const code = `
import os
root = "/home/user/drive/"
def attempt(work):
    try:
        work()
        return "done"
    except OSError as error:
        return "refused"
result = [attempt(work) for work in (
    lambda: open(root + "new", "w"), lambda: open(root + "in/a.txt", "a"), lambda: os.remove(root + "in/a.txt"), lambda: os.rename(root + "in/a.txt", root + "b"),
    lambda: os.mkdir(root + "new"), lambda: os.chmod(root + "in/a.txt", 0o777), lambda: os.symlink("/etc/passwd", root + "link"), lambda: os.truncate(root + "in/a.txt", 0))]
result.append(open(root + "in/a.txt").read())`;
    expect(await answer(code)).toEqual([...Array<string>(8).fill("refused"), "x"]);
  });

  it("that can't be reached is an error of the dataset that reads it, and of no other", async () => {
    platform.put("team", "a.txt", "x");
    platform.drivesDown = true;
    expect((await sandbox.python("result = 1")).error).toBeNull();
    const run = (code: string) => sandbox.python(code, { timeoutMs: 60_000 }, { deadlineMs: 120_000 });
    const report = await run(`result = open("/home/user/drive/a.txt").read()`);
    expect(report.error).toMatch(/Input\/output error|could not be read/);
    const walks = await run('import os\nresult = len(list(os.walk("/home/" + "user/drive")))');
    const error = expect.stringMatching(/could not be (listed|read)/);
    expect(walks).toMatchObject({ success: false, error, result: null });
    platform.drivesDown = false;
    expect(await answer(`result = open("/home/user/drive/a.txt").read()`)).toBe("x");
  }, 120_000);

  it("leaves out what has no file name here, and shows the rest", async () => {
    platform.put("team", `${"é".repeat(200)}/long.txt`, "x");
    platform.put("team", "short.txt", "y");
    expect(await answer(`result = open("/home/user/drive/short.txt").read()`)).toBe("y");
  });

  it("shows the folder where a file has a folder's name, and the file once the folder is gone", async () => {
    const look = `import os\nfound = "/home/user/drive/both"\nresult = sorted(os.listdir(found)) if os.path.isdir(found) else open(found).read()`;
    platform.put("team", "both", "the file");
    expect(await answer(look)).toBe("the file");
    platform.put("team", "both/below.txt", "x");
    expect(await answer(look)).toEqual(["below.txt"]);
    platform.drive.delete("both/below.txt");
    expect(await answer(look)).toBe("the file");
  });

  if (way === "mirror") {
    it("shows the rest, and no error, where a file goes between its listing and its fetching", async () => {
      platform.put("team", "kept.txt", "x");
      platform.put("team", "gone.txt", "y");
      platform.onListed = () => {
        platform.drive.delete("gone.txt");
        platform.objects.delete("team/drive/gone.txt");
      };
      expect(await answer('import os\nresult = sorted(os.listdir("/home/user/drive"))')).toEqual(["kept.txt"]);
      platform.onListed = () => undefined;
    });

    it("says that it is too large to be copied", async () => {
      platform.putSparse("team", "huge.bin", (KEPT_MB + 1) * 1024 * 1024, Buffer.alloc(0));
      expect((await sandbox.python('open("/home/user/drive/huge.bin")')).error).toMatch(
        /drive is larger than this sandbox can show/,
      );
    });
    return;
  }

  describe("mounted", () => {
    it("costs a run what it reads, whatever else there is", async () => {
      for (let at = 0; at < 20_000; at++) platform.put("team", `many/${at % 10}/${at}.txt`, String(at));
      platform.put("team", "one/deep/file.txt", "found");
      platform.driveCalls.length = 0;
      expect(await answer(`result = open("/home/user/drive/one/deep/file.txt").read()`)).toBe("found");
      expect(platform.driveCalls).toEqual([
        "list ",
        "list one/",
        "list one/deep/",
        "sign one/deep/file.txt",
        "read team/drive/one/deep/file.txt whole",
      ]);
      platform.driveCalls.length = 0;
      expect(await answer(`import os\nresult = len(os.listdir("/home/user/drive/many/3"))`)).toBe(2_000);
      expect(platform.driveCalls).toEqual(["list ", "list many/", "list many/3/", "list many/3/"]);
      platform.driveCalls.length = 0;
      expect(await answer("result = 1")).toBe(1);
      expect(platform.driveCalls).toEqual([]);
    });

    it("asks for many files of a folder a hundred at a time", async () => {
      for (let at = 0; at < 150; at++) platform.put("team", `parts/${String(at).padStart(3, "0")}.txt`, String(at));
      platform.driveCalls.length = 0;
      const code = `
import glob
result = sum(int(open(path).read()) for path in sorted(glob.glob("/home/user/drive/parts/*.txt")))`;
      platform.signings = 0;
      expect(await answer(code)).toBe((149 * 150) / 2);
      expect(platform.signings).toBe(3);
    });

    it("reads the end of a file of 50 GB without its beginning", async () => {
      const bytes = 50 * 1024 ** 3;
      platform.putSparse("team", "huge.bin", bytes, Buffer.from("the end"));
      platform.driveCalls.length = 0;
      const code = `
import os
with open("/home/user/drive/huge.bin", "rb") as file:
    size = file.seek(0, 2)
    file.seek(-1024 * 1024, 2)
    tail = file.read()
    result = [size, len(tail), tail[-7:].decode(), sum(tail[:-7])]`;
      expect(await answer(code)).toEqual([bytes, 1024 * 1024, "the end", 0]);
      expect(platform.driveCalls.filter((call) => call.startsWith("read"))).toHaveLength(1);
    });

    it("reads more than it may keep, and keeps no more than it may", async () => {
      const bytes = 4 * KEPT_MB * 1024 * 1024;
      platform.putSparse("team", "large.bin", bytes, Buffer.from("the end"));
      const code = `
count = 0
with open("/home/user/drive/large.bin", "rb") as file:
    while piece := file.read(1024 * 1024):
        count += len(piece)
        end = piece[-7:].decode()
result = [count, end]`;
      const report = await sandbox.python(code, { timeoutMs: 100_000 }, { deadlineMs: 110_000 });
      expect([report.error, storedJson(report.executionId)]).toEqual([null, [bytes, "the end"]]);
      const kept = () =>
        Number(
          execFileSync("du", ["--summarize", "--block-size=1M", cacheOf(sandbox.pid)])
            .toString()
            .split("\t")[0],
        );
      await expect.poll(kept, { timeout: 20_000 }).toBeLessThanOrEqual(KEPT_MB + 1);
    }, 120_000);

    it("breaks off with an I/O error, not at the clock's end, where the store goes away", async () => {
      platform.put("team", "first.txt", "1");
      platform.put("team", "second.txt", "2");
      const code = `
import time
open("/home/user/drive/first.txt").read()
print("begun", flush=True)
time.sleep(3)
result = open("/home/user/drive/second.txt").read()`;
      const running = sandbox.python(code, { timeoutMs: 100_000 }, { deadlineMs: 110_000 });
      await expect.poll(() => platform.lines.at(-1)?.text, { timeout: 20_000 }).toBe("begun");
      platform.drivesDown = true;
      const report = await running;
      expect(report.error).toMatch(/Input\/output error/);
      expect(platform.text(report.executionId, "system").join("\n")).toMatch(
        /second\.txt could not be read from the store just now/,
      );
    }, 120_000);

    it("holds no dataset past its time where the platform does not answer", async () => {
      platform.drivesHang = true;
      const report = await sandbox.python(`result = open("/home/user/drive/a.txt").read()`, { timeoutMs: 1_000 });
      expect(report.error).toMatch(/ran longer than its 1000 ms/);
    }, 12_000);

    it("never mixes a file with the one that replaced it", async () => {
      platform.put("team", "big.bin", Buffer.alloc(64 * 1024 * 1024, "a"));
      const code = `
import os, time
with open("/home/user/drive/big.bin", "rb") as file:
    seen = {*file.read(1024 * 1024)}
    print("begun", flush=True)
    time.sleep(3)
    file.seek(48 * 1024 * 1024)
    while piece := file.read(1024 * 1024):
        seen |= {*piece}
    result = sorted(seen)`;
      const running = sandbox.python(code);
      await expect.poll(() => platform.lines.at(-1)?.text, { timeout: 20_000 }).toBe("begun");
      platform.put("team", "big.bin", Buffer.alloc(64 * 1024 * 1024, "b"));
      const report = await running;
      expect(report.error).toMatch(/Input\/output error/);
      expect(platform.text(report.executionId, "system").join("\n")).toMatch(/big\.bin was replaced or removed/);
      expect(await answer(`result = open("/home/user/drive/big.bin").read(1)`)).toBe("b");
    });

    it("is mounted again when what mounts it dies", async () => {
      platform.put("team", "a.txt", "x");
      const code = `result = open("/home/user/drive/a.txt").read()`;
      expect(await answer(code)).toBe("x");
      const before = rcloneOf(sandbox.pid);
      process.kill(before, "SIGKILL");
      await expect.poll(() => rcloneOf(sandbox.pid), { timeout: 20_000 }).not.toBe(before);
      expect(await answer(code)).toBe("x");
    });

    it("is served by a process that no run reaches, to whom the secret opens it", async () => {
      platform.put("team", "a.txt", "x");
      const pid = rcloneOf(sandbox.pid);
      const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1];
      const code = `
import os, signal
def attempt(work):
    try:
        return str(work())
    except OSError:
        return "refused"
result = [os.getuid(), attempt(lambda: open("/proc/${pid}/environ", "rb").read()), attempt(lambda: os.kill(${pid}, 0)), attempt(lambda: os.listdir("/home/user/drive/.."))]`;
      const [own, ...attempts] = (await answer(code)) as [number, ...string[]];
      expect([own === Number(uid), own === 0, ...attempts.slice(0, 2)]).toEqual([false, false, "refused", "refused"]);
      expect(attempts[2]).not.toContain("worker-");
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toMatch(/[0-9a-f]{64}/);
    });
  });
});

/** Where it is mounted. */
const pointOf = (sandboxPid: number): string =>
  readFileSync(`/proc/${rcloneOf(sandboxPid)}/cmdline`, "utf8").split("\0")[3]!;

/** Where the process that mounts keeps what it read. */
const cacheOf = (sandboxPid: number): string =>
  /RCLONE_CACHE_DIR=([^\0]+)/.exec(readFileSync(`/proc/${rcloneOf(sandboxPid)}/environ`, "utf8"))![1]!;

/** The process that mounts the drive of the sandbox whose process this is. */
function rcloneOf(sandboxPid: number): number {
  const children = readdirSync(`/proc/${sandboxPid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${sandboxPid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
  return children.find((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "rclone") ?? 0;
}
