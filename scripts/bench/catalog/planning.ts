// PyIceberg plans scans of a table from the metadata that the catalog wrote, and from those of a table that it wrote
// itself with the same files and statistics, each time in a process that knows nothing yet.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { alternate, fixed, median, printTable, ratio, say } from "../support/measure.ts";
import { runProgram } from "../support/program.ts";
import { fetchWheels } from "../support/wheels.ts";
import { BUCKET, type IcebergLoaded } from "./call.ts";
import { ROWS_PER_FILE } from "./worker/new-files.ts";

const WHEELS = ["pyiceberg==0.12.0", "pyarrow==26.0.1"];
const ROUNDS = 5;
const AIM = 1.2;
const program = fileURLToPath(new URL("plan_once.py", import.meta.url));

type Planned = { files: number; ms: number };

export async function benchPlanning({ kept, location }: IcebergLoaded, folder: string, files: number): Promise<void> {
  for (const [path, content] of Object.entries(kept)) {
    const file = join(folder, BUCKET, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(content, "base64"));
  }
  const wheels = await fetchWheels(folder, WHEELS);
  const python = async <Answer>(order: object): Promise<Answer> => {
    const args = [program, JSON.stringify({ folder, ...order })];
    return JSON.parse(await runProgram("python3", args, { PYTHONPATH: wheels })) as Answer;
  };
  const { location: itsOwn } = await python<{ location: string }>({ write: location });
  const rows: string[][] = [];
  for (const [name, below, planned] of [
    ["all files", null, files],
    ["a hundredth of them", (files / 100) * ROWS_PER_FILE, files / 100],
  ] as const) {
    const plan = async (from: string) => {
      const done = await python<Planned>({ plan: from, below });
      if (done.files !== planned) throw new Error(`${done.files} files were planned, and ${planned} are to be read.`);
      return done.ms;
    };
    const { ours, its } = await alternate(ROUNDS, { ours: () => plan(location), its: () => plan(itsOwn) });
    const reached = ratio(ours, its);
    rows.push([name, fixed(median(ours)), fixed(median(its)), fixed(reached, 2)]);
    say(`Cold planning of ${name}: ${fixed(reached, 2)}; aim ${AIM}: ${reached <= AIM ? "reached" : "missed"}.`);
  }
  printTable(
    `A scan planned by PyIceberg, cold, medians of ${ROUNDS} alternating rounds`,
    ["", "the catalog's metadata, ms", "a table written by PyIceberg, ms", "ratio"],
    rows,
  );
}
