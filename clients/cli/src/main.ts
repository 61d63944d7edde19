// The entry point of `fjord`: reads the command line, runs one command, and ends with the code of its outcome.

import { CommanderError } from "commander";
import { describeFailure, EXIT, exitCodeOf } from "./exit-codes.ts";
import { outputFailure, say } from "./output/terminal.ts";
import { makeProgram } from "./program.ts";

const interrupt = new AbortController();
/** The second Ctrl-C ends the program at once. */
process.once("SIGINT", () => interrupt.abort(new Error("Interrupted.")));
process.once("SIGTERM", () => interrupt.abort(new Error("Interrupted.")));

try {
  await makeProgram(interrupt.signal).parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error, interrupt.signal.aborted);
  // The parser has said what it found wrong.
  if (!(error instanceof CommanderError)) say(describeFailure(error), "red");
}
// The parser's own help and version may be what could not be written.
process.on("exit", () => {
  const failure = outputFailure();
  if (failure === undefined || process.exitCode) return;
  process.exitCode = EXIT.failed;
  say(`Standard output cannot be written: ${failure.message}`, "red");
});
