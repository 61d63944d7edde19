// A command is handed this: the client of the chosen platform, its output, and the signal that ends its work.

import type { Command } from "commander";
import { Fjord } from "../../typescript/src/client.ts";
import { NotSignedInError } from "./exit-codes.ts";
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
  const { FJORD_URL: url, FJORD_KEY: key } = process.env;
  if (url && key && context.options.profile === undefined) return { url, key };
  const name = profileName(context);
  const profile = await findProfile(name);
  if (profile) return profile;
  throw new NotSignedInError(
    `Nobody is signed in as profile ${name}. Run \`fjord login\`, or set FJORD_URL and FJORD_KEY.`,
  );
}

/** The client of the chosen platform; each of its requests ends by Ctrl-C. */
export async function connect(context: Context): Promise<Fjord> {
  const { url, key } = await resolveProfile(context);
  return clientOf({ url, key }, context.signal);
}

export const clientOf = ({ url, key }: Profile, signal: AbortSignal): Fjord =>
  new Fjord({
    baseUrl: url,
    apiKey: key,
    fetch: (request, init) =>
      fetch(request, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
  });
