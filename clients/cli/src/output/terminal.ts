// Data goes to standard output and talk to standard error; colours and progress are for terminals alone.

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";

export function coloured(
  text: string,
  colour: keyof typeof CODES,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return hasColours(stream) ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Writes data, and waits while its reader is slow. A reader that is gone, as `head`, ends the command in silence. */
export function writeData(data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(data, (error) => (error ? reject(error) : resolve())));
}

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export const printJson = (value: unknown): Promise<void> => writeData(`${JSON.stringify(value, null, 2)}\n`);

/** What comes from the platform may hold control characters, which a terminal would obey. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === "\t" ? " " : "�"));

export async function copyToStdout(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) await writeData(chunk);
}
