// dbt with its adapter for Trino, against the whole product: a project is run, run again, tested and documented.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { DBT_PROJECT, profilesOf } from "../support/node/engines/clients/dbt-project.ts";

const run = promisify(execFile);
const DBT_MS = 240_000;
const PROGRAM = "from dbt.cli.main import cli; cli()";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-dbt-"));
  const { baseUrl, key } = inject("platform");
  for (const [name, text] of Object.entries({ ...DBT_PROJECT, "profiles.yml": profilesOf(baseUrl, key) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a command of dbt did, by the node's name; rejects with dbt's words where it fails. */
async function dbt(...args: string[]): Promise<Record<string, string>> {
  const env = {
    ...process.env,
    PYTHONPATH: inject("clients").dbt,
    DBT_SEND_ANONYMOUS_USAGE_STATS: "false",
    DO_NOT_TRACK: "1",
  };
  const where = ["--project-dir", folder, "--profiles-dir", folder];
  await run("python3", ["-c", PROGRAM, ...args, ...where], { env, cwd: folder, timeout: DBT_MS }).catch(
    ({ stdout }: { stdout?: string }) => {
      throw new Error(`dbt ${args.join(" ")} failed:\n${stdout ?? ""}`);
    },
  );
  const { results } = JSON.parse(await readFile(join(folder, "target", "run_results.json"), "utf8")) as {
    results: { unique_id: string; status: string; adapter_response: { rows_affected?: number } }[];
  };
  return Object.fromEntries(
    results.map(({ unique_id: id, status, adapter_response: { rows_affected: rows } }) => [
      id.split(".")[2]!,
      `${status}${rows === undefined ? "" : ` ${rows}`}`,
    ]),
  );
}

it("is loaded, built, built again by what is new, tested and documented", async () => {
  expect(await dbt("seed")).toEqual({ prices: expect.stringMatching(/^success/) });
  expect(await dbt("run")).toEqual({
    customers: "success 5",
    appended: "success 5",
    merged: "success 5",
    replaced: "success 5",
  });
  expect(await dbt("run", "--vars", "{days: 8}")).toEqual({
    customers: "success 8",
    appended: "success 3",
    merged: "success 8",
    replaced: "success 8",
  });
  const tests = await dbt("test");
  expect(Object.values(tests).every((each) => each.startsWith("pass"))).toBe(true);
  expect(Object.keys(tests).length).toBeGreaterThanOrEqual(6);
  await dbt("docs", "generate");
  const catalog = JSON.parse(await readFile(join(folder, "target", "catalog.json"), "utf8")) as {
    nodes: Record<string, { metadata: { comment: string | null }; columns: Record<string, { type: string }> }>;
  };
  expect(Object.keys(catalog.nodes)).toHaveLength(5);
  expect(catalog.nodes["model.shop.customers"]!.metadata.comment).toBe("Who bought, and it's theirs");
  expect(catalog.nodes["model.shop.merged"]!.columns["price"]!.type).toBe("decimal(10,2)");
});
