// Finds the strongest jail this machine gives, by breaking out of each as far as it lets itself be.

import { randomUUID } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { DriveEntry } from "../../../kernel/wire/drive.ts";
import type { Ask } from "../drive/drive.ts";
import { linkDrive } from "../drive/machine-link.ts";
import { JAIL_KINDS, type SandboxStatus } from "../../../kernel/wire/sandbox.ts";
import type { Jail } from "../jail/jail.ts";
import { DRIVE_PATH } from "../jail/paths.ts";
import { WorkerPool } from "./pool.ts";

const CHECK_MS = 30_000;

export type TriedJail = { jail: Jail; status: SandboxStatus["jail"] };

/** The first jail without a breach; else the one with the fewest. Rejects where no Python process starts at all. */
export async function chooseJail(base: Omit<Jail, "kind" | "mounts" | "driveProblem">): Promise<TriedJail> {
  const kinds = JAIL_KINDS.filter((kind) => (base.settings.jail ?? kind) === kind);
  const tried: TriedJail[] = [];
  const failures: string[] = [];
  let linked: Promise<string | null> | undefined;
  const link = () => (linked ??= linkDrive(DRIVE_PATH, base.settings.driveDirectory));
  await base.drive.refresh(answerWith([checkFile]));
  for (const kind of kinds) {
    try {
      const one = await tryJail({ ...base, kind }, link);
      tried.push(one);
      if (one.status.strong) break;
    } catch (error) {
      failures.push(`${kind}: ${messageOf(error)}`);
      console.log(JSON.stringify({ event: "sandbox.jail_passed_over", kind, why: messageOf(error) }));
    }
  }
  await base.drive.refresh(answerWith([]));
  const best = tried.sort(
    (a, b) => Number(b.status.strong) - Number(a.status.strong) || a.status.lacks.length - b.status.lacks.length,
  )[0];
  if (!best) throw new Error(`No Python process could be started in any jail. ${failures.join(" ")}`);
  return best;
}

/**
 * Tries a jail with mounts of its own where a worker gets them, else with the drive at one path for the whole machine.
 */
async function tryJail(
  base: Omit<Jail, "mounts" | "driveProblem">,
  link: () => Promise<string | null>,
): Promise<TriedJail> {
  const mounted: Jail = { ...base, mounts: true, driveProblem: null };
  try {
    return await checkJail(mounted);
  } catch (error) {
    const [, why] = /no mounts of its own \((.*)\)/.exec(messageOf(error)) ?? [];
    if (base.kind === "bwrap" || why === undefined) throw error;
    const problem = await link();
    const driveProblem = problem && `${DRIVE_MISSING}: this machine refused ${why}, and ${problem}.`;
    return checkJail({ ...mounted, mounts: false, driveProblem });
  }
}

async function checkJail(jail: Jail): Promise<TriedJail> {
  const breaches = await breachesOf(jail);
  return {
    jail,
    status: {
      kind: jail.kind,
      strong: breaches.length === 0 && jail.kind !== "bare",
      lacks: [...breaches, ...remarks(jail)],
    },
  };
}

const DRIVE_MISSING = `The team's drive can't be shown at ${DRIVE_PATH} here`;

/** Known weaknesses that don't keep code from running, but are logged. */
function remarks({ kind, firstUid, mounts, driveProblem }: Jail): string[] {
  return [
    ...(firstUid !== null ? [] : ["a uid of its own for each run"]),
    ...(kind === "landlock"
      ? ["a network of its own: the number of the proxy's port can be connected to on other hosts"]
      : []),
    ...(mounts ? [] : ["mounts of its own: what it writes is looked after, not bounded"]),
    ...(driveProblem === null ? [] : [`the drive: ${driveProblem}`]),
  ];
}

async function breachesOf(jail: Jail): Promise<string[]> {
  const { directory } = jail.settings;
  const file = join(directory, "check-secret");
  await writeFile(file, "secret", { mode: 0o644 });
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const pool = new WorkerPool({ ...jail, settings: { ...jail.settings, warmWorkers: 0 } });
  try {
    return await pool.use([], AbortSignal.timeout(CHECK_MS), async (worker) => {
      const environment = {
        CHECK_FILE: file,
        CHECK_PORT: String((listener.address() as AddressInfo).port),
        CHECK_PID: String(process.pid),
        CHECK_DRIVE: join(DRIVE_PATH, checkFile.path),
      };
      const code = await readFile(join(directory, "runner", "jail_check.py"), "utf8");
      worker.drive.open({ ask: answerWith([checkFile]), report: () => undefined });
      const outcome = await worker.run(
        { name: "jail check", code, environment, inputs: [], isTable: false, baseUrl: "", closed: null },
        CHECK_MS,
        AbortSignal.timeout(CHECK_MS),
        () => undefined,
      );
      if (outcome.error !== null) throw new Error(outcome.error);
      const said = z.array(z.string()).parse(JSON.parse(await readFile(worker.resultFile, "utf8")));
      const wrote = await stat(join(directory, "check-was-here")).then(
        () => ["files: others can be written"],
        () => [],
      );
      if (!said.includes("drive")) jail.driveProblem ??= `${DRIVE_MISSING}: what was put there did not arrive.`;
      return [...said.filter((one) => one !== "wrote" && one !== "drive"), ...wrote, ...worker.lacks];
    });
  } finally {
    listener.close();
    await pool.stop();
    await Promise.all(["check-secret", "check-was-here"].map((name) => rm(join(directory, name), { force: true })));
  }
}

/** The file is empty, so that its content is never fetched. */
const checkFile: DriveEntry = {
  path: `jail-check-${randomUUID()}`,
  etag: "check",
  bytes: 0,
  modified: new Date(0).toISOString(),
};

/** Stands in for the platform: these are the drive's files. */
const answerWith =
  (files: DriveEntry[]): Ask =>
  (_path, _body, answer) =>
    Promise.resolve(answer.parse({ root: "", files, folders: [], cursor: null }));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
