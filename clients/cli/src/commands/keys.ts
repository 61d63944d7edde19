// keys: list, create, revoke.

import type { Command } from "commander";
import { itemsOf, type components, type Fjord } from "../../../typescript/src/client.ts";
import { connect, type AddCommands, type Context } from "../context.ts";
import { collect, printList } from "../output/list.ts";
import { printJson, say, writeData } from "../output/terminal.ts";
import { collectWords } from "./repeated-option.ts";

type UserFlags = { user?: string };
type NewKeyFlags = UserFlags & { expires?: string; scope: string[] };
type Scopes = components["schemas"]["NewKey"]["scopes"];

const USER_OPTION = ["--user <id>", "another user, as an admin"] as const;

export const addKeyCommands: AddCommands = (program, contextOf) => {
  const keys = program.command("keys").description("API keys");
  keys
    .command("list")
    .description("the keys of a user, yours by default")
    .option(...USER_OPTION)
    .action((flags: UserFlags, command: Command) => list(contextOf(command), flags));
  keys
    .command("create")
    .description("make a key; it is printed once, on standard output")
    .argument("<name>")
    .option("--expires <instant>", "when it ends, as 2027-01-01T00:00:00Z")
    .option("-s, --scope <right>", "only this right; may be repeated", collectWords, [])
    .option(...USER_OPTION)
    .action((name: string, flags: NewKeyFlags, command: Command) => create(contextOf(command), name, flags));
  keys
    .command("revoke")
    .description("end a key")
    .argument("<id>")
    .option(...USER_OPTION)
    .action((id: string, flags: UserFlags, command: Command) => revoke(contextOf(command), id, flags));
};

const userOf = async (fjord: Fjord, { user }: UserFlags): Promise<string> =>
  user ?? (await fjord.api.GET("/v4/me")).data!.data.user.id;

async function list(context: Context, flags: UserFlags): Promise<void> {
  const fjord = await connect(context);
  const path = { user_id: await userOf(fjord, flags) };
  const keys = itemsOf((query) => fjord.api.GET("/v4/users/{user_id}/keys", { params: { path, query } }));
  await printList(context, await collect(keys), {
    id: (key) => key.id,
    name: (key) => key.name,
    hint: (key) => key.hint,
    rights: (key) => key.scopes?.join(" ") ?? "all of the user",
    expires: (key) => key.expires_at,
    "last used": (key) => key.last_used_at,
  });
}

async function create(context: Context, name: string, flags: NewKeyFlags): Promise<void> {
  const fjord = await connect(context);
  const path = { user_id: await userOf(fjord, flags) };
  const scopes = flags.scope.length > 0 ? (flags.scope as Scopes) : null;
  const body = { name, expires_at: flags.expires ?? null, scopes };
  const { data } = await fjord.api.POST("/v4/users/{user_id}/keys", { params: { path }, body });
  if (context.options.json) return printJson(data!.data);
  say(`The key ${data!.data.id}, which is shown this once:`);
  await writeData(`${data!.data.key}\n`);
}

async function revoke(context: Context, id: string, flags: UserFlags): Promise<void> {
  const fjord = await connect(context);
  const path = { user_id: await userOf(fjord, flags), key_id: id };
  await fjord.api.DELETE("/v4/users/{user_id}/keys/{key_id}", { params: { path } });
  if (context.options.json) return printJson({ revoked: id });
  say(`The key ${id} is revoked.`);
}
