// The tree of commands, and the options that each of them takes.

import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { AddCommands, Context, GlobalOptions } from "./context.ts";
import { addApiCommands } from "./commands/api.ts";
import { addCatalogCommands } from "./commands/catalog.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addDefinitionCommands } from "./commands/definitions.ts";
import { addDevCommand } from "./commands/dev.ts";
import { addDriveCommands } from "./commands/drive.ts";
import { addEvalCommands } from "./evals/commands.ts";
import { addExportCommand } from "./commands/export.ts";
import { addJobCommands } from "./commands/jobs.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addQueryCommand } from "./commands/query.ts";
import { addSignInCommands } from "./commands/sign-in.ts";
import { addSyncCommands } from "./commands/syncs.ts";

const GROUPS: readonly AddCommands[] = [
  addSignInCommands,
  addQueryCommand,
  addCatalogCommands,
  addSyncCommands,
  addDriveCommands,
  addKeyCommands,
  addDefinitionCommands,
  addJobCommands,
  addApiCommands,
  addEvalCommands,
  addExportCommand,
  addDevCommand,
  addCompletionCommand,
];

const EXIT_HELP = `
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not signed in or not allowed, 4 a conflict, 5 try again later or the
outcome is not known, 130 interrupted.

Environment: FJORD_URL and FJORD_KEY stand for a profile, FJORD_PROFILE names one; FJORD_ANSWER_SECONDS is how
long the platform may take to answer what is no statement and no copy (30); NO_COLOR is obeyed.`;

/** `signal` aborts by Ctrl-C. */
export function makeProgram(signal: AbortSignal): Command {
  const program = new Command("fjord")
    .description("Fjord on the command line.")
    .version(manifest.version)
    .option("--profile <name>", "the profile to use")
    .option("--json", "print JSON instead of tables")
    .addHelpText("after", EXIT_HELP)
    .showHelpAfterError("(--help says more)")
    .exitOverride();
  const contextOf = (command: Command): Context => ({ options: command.optsWithGlobals<GlobalOptions>(), signal });
  for (const add of GROUPS) add(program, contextOf);
  overrideExits(program);
  return program;
}

/** Commands throw where they would end the process, so that one place decides the exit code. */
function overrideExits(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().showHelpAfterError("(--help says more)");
    overrideExits(child);
  }
}
