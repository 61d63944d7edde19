// A log file of this run; the one of the run before stays beside it.

import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";

export type Log = { path: string; write(text: string): void; close(): void };

/** `name` without its extension: `wrangler` is `wrangler.log`, and `wrangler.previous.log` what it was. */
export async function openLog(folder: string, name: string): Promise<Log> {
  const path = join(folder, `${name}.log`);
  await rename(path, join(folder, `${name}.previous.log`)).catch(() => undefined);
  const stream = createWriteStream(path, { mode: 0o600 });
  return { path, write: (text) => void stream.write(text), close: () => void stream.end() };
}
