// Runs of bits, lowest first in each byte, as DuckDB's validity masks and Arrow's bitmaps have them.

/** Sets `count` bits from `at` on. */
export function setBits(into: Uint8Array, at: number, count: number): void {
  const end = at + count;
  let bit = at;
  for (; bit < end && (bit & 7) !== 0; bit++) into[bit >> 3]! |= 1 << (bit & 7);
  into.fill(0xff, bit >> 3, end >> 3);
  for (bit = Math.max(bit, end & ~7); bit < end; bit++) into[bit >> 3]! |= 1 << (bit & 7);
}

/** Sets those of the `count` bits from `at` on that `mask` has from `start` on. Answers how many bits `mask` lacks. */
export function copyBits(into: Uint8Array, at: number, { mask, start }: MaskPart, count: number): number {
  let zeros = 0;
  for (let i = 0; i < count; i++) {
    if (!hasBit(mask, start + i)) zeros++;
    else into[(at + i) >> 3]! |= 1 << ((at + i) & 7);
  }
  return zeros;
}

type MaskPart = { mask: Uint8Array; start: number };

export const hasBit = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3]! >> (at & 7)) & 1) === 1;
