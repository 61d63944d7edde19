// A report on very many tables is cut to what one message to the platform holds.

/** Bytes of a report: below the 1 MiB that the platform keeps. */
const BYTES_MAX = 900_000;
/** The most UTF-8 bytes of a UTF-16 unit. */
const BYTES_PER_CHARACTER = 3;

/** All items in their order, or as many as fit beside `rest`, chosen in the order of `compare`. */
export function fitReport<Item>(items: readonly Item[], rest: unknown, compare: (a: Item, b: Item) => number): Item[] {
  const bytesMax = BYTES_MAX - sizeOf(rest);
  if (JSON.stringify(items).length * BYTES_PER_CHARACTER < bytesMax) return [...items];
  let bytes = 0;
  return [...items].sort(compare).filter((item) => (bytes += sizeOf(item) + 1) < bytesMax);
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
