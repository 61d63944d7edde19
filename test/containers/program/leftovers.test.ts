import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownFolder, removeLeftovers } from "../../../containers/program/leftovers.ts";

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), "leftovers-"))));
afterAll(() => rm(directory, { recursive: true, force: true }));

it("removes the folders of engines that are gone, and of no other", async () => {
  const gone = Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));
  const kept = [
    basename(ownFolder(directory, "engine")),
    basename(ownFolder(directory, "sync")),
    `fjord-postgres-${gone}`,
    "fjord-sync-me",
  ];
  for (const name of [...kept, `fjord-engine-${gone}`, `fjord-sync-${gone}`, `fjord-maintenance-${gone}`]) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, "file"), "x");
  }
  await removeLeftovers(directory);
  expect((await readdir(directory)).sort()).toEqual(kept.sort());
  await removeLeftovers(join(directory, "nowhere"));
});
