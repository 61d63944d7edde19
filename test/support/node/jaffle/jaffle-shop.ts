// The jaffle shop, a dbt project in the shape of the public one, with the rows that its generator makes.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installWheels } from "../tools/python-wheels.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL(".", import.meta.url));
const REQUIREMENTS = join(source, "requirements.txt");
const RUN_MS = 120_000;
const BYTES_MAX = 64 * 1024 * 1024;

export type RawRow = Record<string, string | number>;
export type RawTables = Record<"customers" | "orders" | "items" | "stores" | "products" | "supplies", RawRow[]>;

export type JaffleShop = {
  /** The rows of the shop's first days. */
  generate(days: number): Promise<RawTables>;
  /** Runs the models and tests of the dbt project over the rows, in the folder's database. Rejects when one fails. */
  build(folder: string, raw: RawTables): Promise<void>;
  /** The rows of each query about what dbt has built in the folder. */
  ask(folder: string, queries: string[]): Promise<unknown[][][]>;
};

/** The dbt project as a doc. */
export const readShopDoc = (): Promise<string> => readFile(join(source, "shop.yaml"), "utf8");

/** The first time on a machine, dbt and the generator come from the Python index. */
export async function openJaffleShop(): Promise<JaffleShop> {
  const digest = createHash("sha256")
    .update(await readFile(REQUIREMENTS))
    .digest("hex")
    .slice(0, 16);
  const packages = await installWheels(
    join("jaffle-shop", digest),
    ["--no-compile", "--requirement", REQUIREMENTS],
    "The tests that build the jaffle shop with dbt",
  );
  const python = async (args: string[], { env, input }: { env?: Record<string, string>; input?: string } = {}) => {
    const running = run("python3", args, {
      env: { ...process.env, PYTHONPATH: packages, ...env },
      timeout: RUN_MS,
      maxBuffer: BYTES_MAX,
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  return {
    generate: async (days) => JSON.parse(await python([join(source, "generate.py"), String(days)])) as RawTables,
    async build(folder, raw) {
      await mkdir(join(folder, "raw"), { recursive: true });
      for (const [name, rows] of Object.entries(raw))
        await writeFile(join(folder, "raw", `${name}.json`), JSON.stringify(rows));
      const project = join(source, "project");
      const places = ["--project-dir", project, "--profiles-dir", project, "--target-path", join(folder, "target")];
      await python(["-m", "dbt.cli.main", "build", ...places, "--log-path", folder, "--no-version-check"], {
        env: {
          JAFFLE_RAW: join(folder, "raw"),
          JAFFLE_DATABASE: join(folder, "shop.duckdb"),
          DBT_SEND_ANONYMOUS_USAGE_STATS: "false",
        },
      });
    },
    ask: async (folder, queries) =>
      JSON.parse(
        await python([join(source, "ask.py"), join(folder, "shop.duckdb")], { input: JSON.stringify(queries) }),
      ) as unknown[][][],
  };
}
