// A command is handed this: the client of the chosen platform, its output, and the signal that ends its work.

import type { Command } from "commander";
import { Fjord } from "../../typescript/src/client.ts";
import { NotSignedInError, UsageError } from "./exit-codes.ts";
import { checkAddress, checkKey } from "./settings/address.ts";
import { findProfile, type Profile } from "./settings/profiles.ts";

/** The options that every command takes. */
export type GlobalOptions = { profile?: string; json?: boolean };

export type Context = Readonly<{
  options: GlobalOptions;
  /** Aborts by Ctrl-C. */
  signal: AbortSignal;
}>;

/** Adds commands to a program; `contextOf` makes what one that runs is handed. */
export type AddCommands = (program: Command, contextOf: (command: Command) => Context) => void;

export const DEFAULT_PROFILE = "default";

export const profileName = ({ options }: Context): string =>
  options.profile ?? process.env["FJORD_PROFILE"] ?? DEFAULT_PROFILE;

/** The environment comes before the profile, unless a profile was named by an option. */
export async function resolveProfile(context: Context): Promise<Profile> {
  const profile = await chooseProfile(context);
  return { ...profile, url: checkAddress(profile.url), key: checkKey(profile.key) };
}

async function chooseProfile(context: Context): Promise<Profile> {
  const { FJORD_URL: url, FJORD_KEY: key } = process.env;
  if (url && key && context.options.profile === undefined) return { url, key };
  const name = profileName(context);
  const profile = await findProfile(name);
  if (profile) return profile;
  throw new NotSignedInError(
    `Nobody is signed in as profile ${name}. Run \`fjord login\`, or set FJORD_URL and FJORD_KEY.`,
  );
}

type Deadline = Readonly<{ answerMsMax?: number }>;

/** What an operation that only reads or writes the platform's own rows needs, a cold start of the platform included. */
const ANSWER_SECONDS = 30;
/** Statements, copies and what reads a whole lake have the client's own deadline. */
export const LONG_WORK: Deadline = {};

function deadline(): Deadline {
  const seconds = Number(process.env["FJORD_ANSWER_SECONDS"] || ANSWER_SECONDS);
  if (!(seconds > 0 && seconds < 86_400)) throw new UsageError("FJORD_ANSWER_SECONDS is no number of seconds.");
  return { answerMsMax: seconds * 1_000 };
}

/** The client of the chosen platform; each of its requests ends by Ctrl-C. */
export async function connect(context: Context, within: Deadline = deadline()): Promise<Fjord> {
  return clientOf(await resolveProfile(context), context.signal, within);
}

export const clientOf = ({ url, key }: Profile, signal: AbortSignal, within: Deadline = deadline()): Fjord =>
  new Fjord({
    ...within,
    baseUrl: url,
    apiKey: key,
    fetch: (request, init) =>
      fetch(request, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
  });
