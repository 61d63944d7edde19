// What lies about on the machine has no say in a connection to Snowflake, and nothing is left there.

import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { expect, test } from "vitest";
import { withFakeSnowflake } from "../../../support/node/sources/snowflake/with-fake.ts";

const fake = withFakeSnowflake(({ database }) =>
  database.execute("CREATE VIEW numbers AS SELECT range AS n FROM range(3000)"),
);

const PROBE = new URL("../../../support/node/sources/snowflake/ambient-probe.ts", import.meta.url).pathname;

/** A home directory with settings that would log to a file, name another account and another proxy. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), "snowflake-home-"));
  mkdirSync(join(home, ".snowflake"));
  const logging = JSON.stringify({ common: { log_level: "TRACE", log_path: home } });
  for (const path of ["sf_client_config.json", ".snowflake/sf_client_config.json"])
    writeFileSync(join(home, path), logging);
  writeFileSync(join(home, ".snowflake", "connections.toml"), '[default]\naccount = "other"\npassword = "other"\n');
  return home;
}

/** Runs the probe with no more of the environment than is given. */
async function probe(environment: Record<string, string>) {
  const child = spawn(process.execPath, [PROBE], {
    env: environment,
    cwd: environment.HOME,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (errors += text));
  await once(child, "close");
  expect(errors).toBe("");
  return JSON.parse(out) as { rows: number; opened: string[]; dialled: string[]; timers: number };
}

test("no setting is read, no file is written, and only the service and its store are dialled", async () => {
  const home = makeHome();
  const before = readdirSync(home, { recursive: true }).sort();
  try {
    const { rows, opened, dialled, timers } = await probe({
      PATH: process.env.PATH ?? "",
      HOME: home,
      HOSTS_ALLOWED: "loopback",
      ENGINE_SNOWFLAKE_EMULATOR: fake().url,
      HTTP_PROXY: "http://127.0.0.1:1",
      HTTPS_PROXY: "http://127.0.0.1:1",
      SF_CLIENT_CONFIG_FILE: join(home, "sf_client_config.json"),
      SNOWFLAKE_HOME: join(home, ".snowflake"),
      SNOWFLAKE_RUNNING_INSIDE_SPCS: "1",
      SF_OCSP_RESPONSE_CACHE_DIR: home,
      AWS_ACCESS_KEY_ID: "canary",
      AWS_SECRET_ACCESS_KEY: "canary",
      AWS_REGION: "us-east-1",
    });
    expect(rows).toBe(3_000);
    expect(opened.filter((path) => path.includes(home))).toEqual([]);
    // The SDK asks which Linux this is, and would make a directory where none can be made.
    expect([...opened].sort()).toEqual([
      "mkdirSync /dev/null/none",
      "readFileSync /etc/os-release",
      "readFileSync /proc/version",
      "readFileSync /usr/bin/ldd",
    ]);
    expect(dialled).toEqual([fake().url.slice("http://".length)]);
    expect(timers).toBe(0);
    expect(readdirSync(home, { recursive: true }).sort()).toEqual(before);
  } finally {
    rmSync(home, { recursive: true });
  }
  expect(fake().requests.filter((path) => path.startsWith("/telemetry"))).toEqual([]);
});
