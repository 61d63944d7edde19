// The launcher brings the local database up to date before anything uses it, and asks only where migrations came.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, spawnGroup } from "../../process/group.ts";
import type { State } from "../state.ts";
import { dataIn, wranglerEnvironment } from "../wrangler.ts";

const MIGRATIONS = join(root, "migrations");
const stamp = join("data", "migrations-applied");

/** Whether migrations came since the last time. Asking wrangler itself takes seconds. */
export async function hasNewMigrations(state: State): Promise<boolean> {
  return (await readFile(join(state.folder, stamp), "utf8").catch(() => "")) !== (await digestMigrations());
}

/** Applies the D1 migrations that are not applied yet. Throws an Error with what the program printed. */
export async function applyMigrations(state: State): Promise<void> {
  const digest = await digestMigrations();
  const output: string[] = [];
  const program = join("scripts", "start", "migrations", "program.ts");
  const args = [dataIn(state), MIGRATIONS];
  const group = spawnGroup(program, args, wranglerEnvironment(state.folder), (text) => output.push(text));
  const code = await group.ended;
  if (code !== 0)
    throw new Error(`${output.join("")}\nThe database migrations did not apply (the program ended with ${code}).`);
  await state.write(stamp, digest);
}

async function digestMigrations(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(MIGRATIONS)).sort())
    hash.update(`${name}\n`).update(await readFile(join(MIGRATIONS, name)));
  return hash.digest("hex");
}
