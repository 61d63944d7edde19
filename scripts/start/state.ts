// The state folder: one launcher at a time, this installation's own secrets, and the demo team it made.

import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type Secrets = Record<
  "VAULT_KEYS" | "TOKEN_SECRET" | "BOOTSTRAP_SECRET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
  string
>;
export type DemoTeam = { key: string; lakeId: string };

export type State = {
  folder: string;
  logs: string;
  secrets: Secrets;
  /** Writes a file only its owner may read, whole or not at all. */
  write(name: string, text: string): Promise<void>;
  readDemoTeam(): Promise<DemoTeam | undefined>;
  release(): Promise<void>;
};

/** Throws an Error for people when another launcher holds the folder, or when it can't be made. */
export async function openState(folder: string): Promise<State> {
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const lock = await takeLock(folder);
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  const kept = await readJson<Partial<Secrets>>(join(folder, "secrets.json"));
  const secrets = { ...makeSecrets(), ...kept };
  const state: State = {
    folder,
    logs,
    secrets,
    write,
    readDemoTeam: () => readJson<DemoTeam>(join(folder, "demo-team.json")),
    release: () => rm(lock, { force: true }),
  };
  if (JSON.stringify(kept) !== JSON.stringify(secrets)) await write("secrets.json", JSON.stringify(secrets));
  return state;
}

function makeSecrets(): Secrets {
  const secret = () => randomBytes(32).toString("base64");
  return {
    VAULT_KEYS: `local:${secret()}`,
    TOKEN_SECRET: secret(),
    BOOTSTRAP_SECRET: secret(),
    S3_ACCESS_KEY_ID: randomBytes(16).toString("hex"),
    S3_SECRET_ACCESS_KEY: randomBytes(32).toString("hex"),
  };
}

async function takeLock(folder: string): Promise<string> {
  const lock = join(folder, "launcher.pid");
  const holder = Number(await readFile(lock, "utf8").catch(() => ""));
  if (holder && (await isLauncher(holder)))
    throw new Error(
      `Fjord runs already from ${folder} (process ${holder}). Stop that one first, or name ` +
        "another folder in FJORD_STATE.",
    );
  await writeFile(lock, String(process.pid), { mode: 0o600 });
  return lock;
}

/** Process ids are reused: where the system shows command lines, one that is not a launcher's doesn't count. */
async function isLauncher(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return command === undefined || command.includes(join("scripts", "start", "main.ts"));
}

async function readJson<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
