// The entry point of `fjord`: reads the command line, runs one command, and ends with the code of its outcome.

import { CommanderError } from "commander";
import { describeFailure, EXIT, exitCodeOf } from "./exit-codes.ts";
import { coloured } from "./output/terminal.ts";
import { makeProgram } from "./program.ts";

const interrupt = new AbortController();
/** The second Ctrl-C ends the program at once. */
process.once("SIGINT", () => interrupt.abort(new Error("Interrupted.")));
process.once("SIGTERM", () => interrupt.abort(new Error("Interrupted.")));
// A reader that is gone, as `head`, has all that it wants.
process.stdout.on("error", () => process.exit(EXIT.ok));

try {
  await makeProgram(interrupt.signal).parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error, interrupt.signal.aborted);
  // The parser has said what it found wrong.
  if (!(error instanceof CommanderError))
    process.stderr.write(`${coloured(describeFailure(error), "red", process.stderr)}\n`);
}
