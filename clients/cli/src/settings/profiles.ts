// The profiles of this user: where each platform is, and the key that opens it. Nobody else may read the file.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { isMap, parseJson } from "../json.ts";

/** `keyId`: the key was made for this profile by signing in with a browser, and ends with it. */
export type Profile = Readonly<{ url: string; key: string; keyId?: string }>;
type Profiles = Readonly<{ profiles: Readonly<Record<string, Profile>> }>;

const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;

const baseFolder = (variable: string, fallback: string): string =>
  join(process.env[variable] || join(homedir(), fallback), "fjord");

const profilesFile = (): string => join(baseFolder("XDG_CONFIG_HOME", ".config"), "profiles.json");

/** Where states of unfinished work are kept. */
export const stateFolder = (): string => baseFolder("XDG_STATE_HOME", ".local/state");

async function readProfiles(): Promise<Profiles> {
  const text = await readFile(profilesFile(), "utf8").catch(() => undefined);
  if (text === undefined) return { profiles: {} };
  const { profiles } = (parseJson(text) ?? {}) as { profiles?: unknown };
  if (!isMap(profiles) || !Object.values(profiles).every(isProfile))
    throw new UsageError(`${profilesFile()} is no file of profiles: mend it, or delete it and sign in anew.`);
  return { profiles: profiles as Profiles["profiles"] };
}

const isProfile = (value: unknown): boolean =>
  isMap(value) && typeof value["url"] === "string" && typeof value["key"] === "string";

export async function findProfile(name: string): Promise<Profile | undefined> {
  const { profiles } = await readProfiles();
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

export const listProfiles = async (): Promise<string[]> => Object.keys((await readProfiles()).profiles).sort();

export async function saveProfile(name: string, profile: Profile): Promise<string> {
  const { profiles } = await readProfiles();
  await writeOwnFile(profilesFile(), { profiles: { ...profiles, [name]: profile } });
  return profilesFile();
}

/** Answers whether there was one. */
export async function deleteProfile(name: string): Promise<boolean> {
  const { [name]: deleted, ...profiles } = (await readProfiles()).profiles;
  if (deleted) await writeOwnFile(profilesFile(), { profiles });
  return deleted !== undefined;
}

/** The file is there whole or not at all, and is its owner's alone from the first byte. */
export async function writeOwnFile(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_FOLDER });
  const made = `${file}.${process.pid}`;
  await writeFile(made, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY });
  await rename(made, file);
}
