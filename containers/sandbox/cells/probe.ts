// Finds the strongest jail this machine gives, by breaking out of each as far as it lets itself be.

import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { SandboxStatus } from "../protocol.ts";
import { JAIL_KINDS, type Jail } from "./jail.ts";
import { CellPool } from "./pool.ts";

const probeMs = 30_000;

export type Probed = { jail: Jail; status: SandboxStatus["jail"] };

/** The first jail without a breach; else the one with the fewest. Rejects where no Python process starts at all. */
export async function probeJails(base: Omit<Jail, "kind">): Promise<Probed> {
  const kinds = JAIL_KINDS.filter((kind) => (base.settings.jail ?? kind) === kind);
  const tried: Probed[] = [];
  const failures: string[] = [];
  for (const kind of kinds) {
    const jail: Jail = { ...base, kind };
    try {
      const breaches = await breachesOf(jail);
      const strong = breaches.length === 0 && kind !== "bare";
      tried.push({ jail, status: { kind, strong, lacks: [...breaches, ...remarks(jail)] } });
      if (strong) break;
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const best = tried.sort((a, b) => Number(b.status.strong) - Number(a.status.strong) || a.status.lacks.length - b.status.lacks.length)[0];
  if (!best) throw new Error(`No Python process could be started in any jail. ${failures.join(" ")}`);
  return best;
}

/** Known, and borne: what keeps nobody from running code, and is said all the same. */
function remarks({ kind, firstUid }: Jail): string[] {
  return [
    ...(firstUid !== null ? [] : ["a uid of its own for each run"]),
    ...(kind === "landlock" ? ["a network of its own: the number of the proxy's port can be connected to on other hosts"] : []),
  ];
}

async function breachesOf(jail: Jail): Promise<string[]> {
  const { directory } = jail.settings;
  const file = join(directory, "probe-secret");
  await writeFile(file, "secret", { mode: 0o644 });
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const pool = new CellPool({ ...jail, settings: { ...jail.settings, warmCells: 0 } });
  try {
    return await pool.use([], AbortSignal.timeout(probeMs), async (cell) => {
      const environment = { PROBE_FILE: file, PROBE_PORT: String((listener.address() as AddressInfo).port), PROBE_PID: String(process.pid) };
      const code = await readFile(join(directory, "runner", "probe.py"), "utf8");
      const outcome = await cell.run({ name: "probe", code, environment, inputs: [], baseUrl: "" }, probeMs, AbortSignal.timeout(probeMs), () => undefined);
      if (outcome.error !== null) throw new Error(outcome.error);
      const told = z.array(z.string()).parse(JSON.parse(await readFile(cell.resultFile, "utf8"))).filter((breach) => breach !== "wrote");
      const wrote = await stat(join(directory, "probe-was-here")).then(() => ["files: others can be written"], () => []);
      return [...told, ...wrote, ...cell.lacks];
    });
  } finally {
    listener.close();
    await pool.stop();
    await Promise.all(["probe-secret", "probe-was-here"].map((name) => rm(join(directory, name), { force: true })));
  }
}
