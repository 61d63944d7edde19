// Newline-delimited JSON, read as it comes.

/** The values of the lines, each as soon as its line is whole. A reader that stops early ends the stream. */
export async function* jsonLines<Value>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Value, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Value;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
