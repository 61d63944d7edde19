// The built bundle in bare workerd, with a database that is migrated, and a first operator.

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT, type Program } from "../support/program.ts";
import { serveD1 } from "./d1.ts";
import { buildBundle, serveBundle } from "./workerd.ts";

export const CONFIG = join(ROOT, "wrangler.toml");

/** What is to be ended, the last first. */
export type Stops = (() => Promise<void> | void)[];

/** `database` is the file of D1, `bundle` the folder of what was built, `texts` its variables. */
type Deployment = {
  program: Program;
  key: string;
  database: string;
  bundle: string;
  d1Port: number;
  texts: Record<string, string>;
};

export async function startDeployment(folder: string, stops: Stops): Promise<Deployment> {
  const [bundle, database] = [join(folder, "fjord"), join(folder, "d1.sqlite")];
  await Promise.all([mkdir(bundle), migrate(database)]);
  await buildBundle(CONFIG, bundle);
  const secret = () => randomBytes(32).toString("base64");
  const texts = {
    VAULT_KEYS: `bench:${secret()}`,
    TOKEN_SECRET: secret(),
    BOOTSTRAP_SECRET: secret(),
    S3_ACCESS_KEY_ID: "bench",
    S3_SECRET_ACCESS_KEY: "bench",
  };
  const d1 = await serveD1(database);
  stops.push(d1.stop);
  const program = await serveBundle(CONFIG, bundle, texts, d1.port);
  stops.push(program.stop);
  const key = await bootstrap(program.port, texts.BOOTSTRAP_SECRET);
  return { program, key, database, bundle, d1Port: d1.port, texts };
}

async function migrate(file: string): Promise<void> {
  const folder = join(ROOT, "migrations");
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  for (const name of (await readdir(folder)).sort()) database.exec(await readFile(join(folder, name), "utf8"));
  database.close();
}

/** The first operator's key, over the product's own API. */
async function bootstrap(port: number, secret: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v4/admin/bootstrap`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ team_name: "Bench", name: "Bench", email: "bench@example.com" }),
  });
  if (!response.ok) throw new Error(`The bootstrap answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: { api_key: { key: string } } }).data.api_key.key;
}
