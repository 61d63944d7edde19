// Questions on a terminal, and what is piped in where there is none.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on standard error, so that standard output stays data. */
export async function ask(question: string, signal: AbortSignal, isSecret = false): Promise<string> {
  // The reader of lines would write the question to where nothing is shown.
  if (isSecret) process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? silent : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // While a line is read, Ctrl-C is a character and no signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return (await lines.question(isSecret ? "" : question, { signal })).trim();
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

export const readStandardInput = (): Promise<string> => text(process.stdin);
