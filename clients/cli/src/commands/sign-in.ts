// login, logout, status.

import type { Command } from "commander";
import { FjordProblem } from "../../../typescript/src/client.ts";
import { keyFromBrowser } from "../browser/key-from-browser.ts";
import { clientOf, connect, profileName, resolveProfile, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { printable, printJson, say, writeData } from "../output/terminal.ts";
import { checkAddress, checkKey } from "../settings/address.ts";
import { deleteProfile, findProfile, listProfiles, saveProfile, type Profile } from "../settings/profiles.ts";
import { ask, isInteractive, readStandardInput } from "../settings/prompt.ts";

export const addSignInCommands: AddCommands = (program, contextOf) => {
  program
    .command("login")
    .description("sign in with a browser, or with an API key from FJORD_KEY, standard input, or a prompt (--key)")
    .argument("[url]", "where the platform is, as https://fjord.example.com")
    .option("--browser", "with a browser, also where this is no terminal")
    .option("--key", "with an API key, which is asked for")
    .action((url: string | undefined, flags: LoginFlags, command: Command) => login(contextOf(command), url, flags));
  program
    .command("logout")
    .description("forget a profile's key")
    .action((_options: object, command: Command) => logout(contextOf(command)));
  program
    .command("status")
    .description("who is signed in where, and whether the platform is well")
    .action((_options: object, command: Command) => status(contextOf(command)));
};

type LoginFlags = { browser?: true; key?: true };

async function login(context: Context, argument: string | undefined, flags: LoginFlags): Promise<void> {
  if (flags.browser && flags.key) throw new UsageError("Say --browser or --key, not both.");
  const name = profileName(context);
  const url = await chooseUrl(context, argument);
  const before = await findProfile(name);
  const chosen = await chooseKey(context, url, flags);
  const profile = { url, ...chosen, key: checkKey(chosen.key) };
  const { data } = await clientOf(profile, context.signal).api.GET("/v4/me");
  const file = await saveProfile(name, profile);
  // The key that the profile had is nobody's any more.
  if (before?.keyId !== undefined && before.key !== profile.key) await revoke(context, before, before.keyId);
  const { user, team, role } = data!.data;
  if (context.options.json) return printJson({ profile: name, url, user, team, role });
  say(`Signed in to ${team.name} as ${user.name} (${role}). The profile ${name} is kept in ${file}.`);
}

async function chooseUrl(context: Context, argument: string | undefined): Promise<string> {
  const given = argument ?? process.env["FJORD_URL"] ?? (await findProfile(profileName(context)))?.url;
  const url = given ?? (isInteractive() ? await ask("Where is the platform? ", context.signal) : undefined);
  if (!url) throw new UsageError("Name the platform's address: fjord login https://fjord.example.com");
  return checkAddress(url);
}

/** A person at a terminal signs in with the browser; a key comes from the environment, a pipe, or a prompt. */
async function chooseKey(
  { signal }: Context,
  url: string,
  flags: LoginFlags,
): Promise<{ key: string; keyId?: string }> {
  const key = process.env["FJORD_KEY"];
  if (key !== undefined && !flags.browser && !flags.key) return { key };
  if (flags.browser || (isInteractive() && !flags.key)) return keyFromBrowser(url, signal);
  return { key: isInteractive() ? await ask("API key: ", signal, true) : await readStandardInput() };
}

async function logout(context: Context): Promise<void> {
  const name = profileName(context);
  const profile = await findProfile(name);
  const revoked = profile?.keyId !== undefined;
  if (profile?.keyId !== undefined) await revoke(context, profile, profile.keyId);
  const wasThere = await deleteProfile(name);
  if (context.options.json) return printJson({ profile: name, deleted: wasThere, revoked });
  if (!wasThere) return say("Nobody was signed in.");
  say(`The key of profile ${name} is ${revoked ? "revoked" : "forgotten; it still works until it is revoked"}.`);
}

/** A key that is gone already is what was wanted. */
async function revoke(context: Context, profile: Profile, keyId: string): Promise<void> {
  try {
    await clientOf(profile, context.signal).api.DELETE("/v4/keys/{key_id}", { params: { path: { key_id: keyId } } });
  } catch (error) {
    if (!(error instanceof FjordProblem) || (error.status !== 401 && error.status !== 404)) throw error;
  }
}

async function status(context: Context): Promise<void> {
  const [{ url }, fjord, profiles] = await Promise.all([resolveProfile(context), connect(context), listProfiles()]);
  const [{ data: me }, health] = await Promise.all([
    fjord.api.GET("/v4/me"),
    fjord.request("/health").then((response) => response.json() as Promise<Record<string, boolean>>),
  ]);
  const { user, team, role, rights, scopes } = me!.data;
  if (context.options.json) return printJson({ url, user, team, role, rights, scopes, health, profiles });
  const unwell = Object.keys(health).filter((part) => !health[part]);
  const lines = [
    `Platform  ${url}`,
    `Team      ${team.name}`,
    `User      ${user.name} <${user.email}>, ${role}`,
    `Rights    ${rights.join(", ")}`,
    `Health    ${unwell.length === 0 ? "everything answers" : `not well: ${unwell.join(", ")}`}`,
    ...(profiles.length > 0 ? [`Profiles  ${profiles.join(", ")}`] : []),
  ];
  await writeData(`${lines.map(printable).join("\n")}\n`);
}
