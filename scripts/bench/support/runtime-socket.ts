// Wrangler puts a proxy of its own before the runtime that runs the Worker: a runtime as well, which a deployment has
// nothing of. What the proxy costs is measured by asking the Worker's runtime at its own socket.

import { readdir, readFile, readlink } from "node:fs/promises";
import { isUp } from "../../start/platform.ts";

/** The state of a socket that listens, as the kernel's table has it. */
const LISTENS = "0A";

/**
 * The URL at which one of these processes, the platform's runtimes, answers as `proxied` does. Throws where there is
 * none: Linux alone lists who listens where.
 */
export async function findRuntime(pids: number[], proxied: string): Promise<string> {
  const urls = (await Promise.all(pids.map(portsOf))).flat().map((port) => `http://127.0.0.1:${port}`);
  for (const url of urls) if (url !== proxied && (await isUp(`${url}/`))) return url;
  throw new Error(`None of the platform's runtimes answers beside its proxy, at ${urls.join(", ") || "any port"}.`);
}

async function portsOf(pid: number): Promise<number[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")));
  const table = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).split("\n").slice(1);
  return table.flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    const isOurs = state === LISTENS && links.includes(`socket:[${inode}]`);
    return isOurs ? [Number.parseInt(local.slice(local.indexOf(":") + 1), 16)] : [];
  });
}
