// The bodies of others' answers are read up to a bound, and no further.

/** Undefined for a body that is longer. */
export async function readBounded({ body }: Response, bytesMax: number): Promise<Blob | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // To leave the loop cancels the rest.
    if (bytes > bytesMax) return undefined;
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts);
}
