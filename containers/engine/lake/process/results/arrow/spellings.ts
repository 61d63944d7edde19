// The texts of values that Arrow's readers have no common type for, as DuckDB spells them.

import type { Spelling } from "./stores.ts";

/** Each byte as two hexadecimal digits. */
const HEX = Uint8Array.from(
  Buffer.from(Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0")).join("")),
);
const HYPHEN = 0x2d;
const UUID_BYTES = 16;

/** Numbers of 128 bits, lowest byte first, whose highest bit is turned so that they sort as their texts do. */
export const UUID: Spelling = {
  width: UUID_BYTES,
  bytesMax: 36,
  put(entries, row, into, at) {
    const last = row * UUID_BYTES + UUID_BYTES - 1;
    for (let i = 0; i < UUID_BYTES; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) into[at++] = HYPHEN;
      const byte = entries[last - i]! ^ (i === 0 ? 0x80 : 0);
      into[at++] = HEX[byte * 2]!;
      into[at++] = HEX[byte * 2 + 1]!;
    }
    return at;
  },
};

const INTERVAL_BYTES = 16;

/** Months and days of 32 bits, microseconds of 64. */
export const INTERVAL: Spelling = {
  width: INTERVAL_BYTES,
  bytesMax: 80,
  put(entries, row, into, at) {
    const view = new DataView(entries.buffer, entries.byteOffset + row * INTERVAL_BYTES, INTERVAL_BYTES);
    const months = view.getInt32(0, true);
    const micros = view.getBigInt64(8, true);
    const parts = [
      counted(Math.trunc(months / 12), "year"),
      counted(months % 12, "month"),
      counted(view.getInt32(4, true), "day"),
    ].filter((part) => part !== "");
    if (micros !== 0n || parts.length === 0) parts.push(timeText(micros));
    for (const character of Buffer.from(parts.join(" "), "latin1")) into[at++] = character;
    return at;
  },
};

const counted = (count: number, unit: string): string =>
  count === 0 ? "" : `${count} ${unit}${Math.abs(count) === 1 ? "" : "s"}`;

/** Hours take as many digits as they need. */
function timeText(micros: bigint): string {
  const all = micros < 0n ? -micros : micros;
  const seconds = all / 1_000_000n;
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, "0"));
  const fraction = String(all % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${micros < 0n ? "-" : ""}${clock.join(":")}${fraction && `.${fraction}`}`;
}
