// Data goes to standard output and talk to standard error; colours and progress are for terminals alone.

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

type Colour = keyof typeof CODES;

const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";

export function coloured(text: string, colour: Colour, stream: NodeJS.WriteStream = process.stdout): string {
  return hasColours(stream) ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

let isReaderGone = false;
let failure: Error | undefined;

const isBrokenPipe = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "EPIPE";

process.stdout.on("error", (error) => {
  if (isBrokenPipe(error)) isReaderGone = true;
  else failure ??= error;
});
// Nobody reads the talk any more, and the work goes on.
process.stderr.on("error", () => undefined);

/** Whether data that is printed can still reach a reader: `head` is gone once it has all that it wants. */
export const hasReader = (): boolean => !isReaderGone;

/** What kept data from standard output, as a full disk; undefined where all of it was written or nobody reads it. */
export const outputFailure = (): Error | undefined => failure;

/**
 * Writes data, and waits while its reader is slow. Data for a reader that is gone is dropped, so that the command's
 * work goes on. Throws where standard output cannot be written for any other reason.
 */
export function writeData(data: string | Uint8Array): Promise<void> {
  if (isReaderGone) return Promise.resolve();
  return new Promise<void>((resolve, reject) => {
    process.stdout.write(data, (error) => (error ? reject(error) : resolve()));
  }).catch((error: Error) => {
    if (!isBrokenPipe(error)) throw new Error("Standard output cannot be written", { cause: error });
    isReaderGone = true;
  });
}

/** Writes lines for people, without control characters. A standard error that cannot be written ends no work. */
export function say(text: string, colour?: Colour): void {
  const clean = printableLines(text);
  try {
    process.stderr.write(`${colour === undefined ? clean : coloured(clean, colour, process.stderr)}\n`);
  } catch {
    // Nobody can be told.
  }
}

export const printJson = (value: unknown): Promise<void> => writeData(`${JSON.stringify(value, null, 2)}\n`);

/** What comes from the platform may hold control characters, which a terminal would obey. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === "\t" ? " " : "�"));

const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join("\n");

/** Ends with the stream, or once nobody reads it. */
export async function copyToStdout(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    await writeData(chunk);
    if (!hasReader()) return;
  }
}
