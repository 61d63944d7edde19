// login, logout, status.

import type { Command } from "commander";
import { clientOf, connect, profileName, resolveProfile, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { printJson, say, writeData } from "../output/terminal.ts";
import { deleteProfile, findProfile, listProfiles, saveProfile } from "../settings/profiles.ts";
import { ask, isInteractive, readStandardInput } from "../settings/prompt.ts";

/** A platform of this machine is reached without TLS. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/;

export const addSignInCommands: AddCommands = (program, contextOf) => {
  program
    .command("login")
    .description("sign in with an API key, which is asked for, read from standard input, or taken from FJORD_KEY")
    .argument("[url]", "where the platform is, as https://fjord.example.com")
    .action((url: string | undefined, _options: object, command: Command) => login(contextOf(command), url));
  program
    .command("logout")
    .description("forget a profile's key")
    .action((_options: object, command: Command) => logout(contextOf(command)));
  program
    .command("status")
    .description("who is signed in where, and whether the platform is well")
    .action((_options: object, command: Command) => status(contextOf(command)));
};

async function login(context: Context, argument: string | undefined): Promise<void> {
  const name = profileName(context);
  const url = await chooseUrl(context, argument);
  const key = process.env["FJORD_KEY"] ?? (await readKey(context));
  if (key === "") throw new UsageError("The key is empty.");
  const { data } = await clientOf({ url, key }, context.signal).api.GET("/v4/me");
  const file = await saveProfile(name, { url, key });
  const { user, team, role } = data!.data;
  if (context.options.json) return printJson({ profile: name, url, user, team, role });
  say(`Signed in to ${team.name} as ${user.name} (${role}). The profile ${name} is kept in ${file}.`);
}

async function chooseUrl(context: Context, argument: string | undefined): Promise<string> {
  const given = argument ?? process.env["FJORD_URL"] ?? (await findProfile(profileName(context)))?.url;
  const url = given ?? (isInteractive() ? await ask("Where is the platform? ", context.signal) : undefined);
  if (!url) throw new UsageError("Name the platform's address: fjord login https://fjord.example.com");
  const scheme = LOOPBACK.test(url) ? "http" : "https";
  const whole = url.includes("://") ? url : `${scheme}://${url}`;
  if (!URL.canParse(whole)) throw new UsageError(`${url} is no address.`);
  return whole.replace(/\/+$/, "");
}

const readKey = async ({ signal }: Context): Promise<string> =>
  isInteractive() ? ask("API key: ", signal, true) : (await readStandardInput()).trim();

async function logout(context: Context): Promise<void> {
  const name = profileName(context);
  const wasThere = await deleteProfile(name);
  if (context.options.json) return printJson({ profile: name, deleted: wasThere });
  say(
    wasThere ? `The key of profile ${name} is forgotten; it still works until it is revoked.` : "Nobody was signed in.",
  );
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
  await writeData(`${lines.join("\n")}\n`);
}
