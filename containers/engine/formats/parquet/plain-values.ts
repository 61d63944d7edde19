// Values of a page, one behind the other as Parquet's encoding PLAIN has them. What is NULL has none.

import { DataType, type Data } from "apache-arrow";
import { hasBit } from "../../duckdb/vectors/bits.ts";
import type { Output } from "../output.ts";
import type { Leaf } from "./leaves.ts";
import { DECIMAL_BYTES } from "./schema.ts";

const LENGTH_BYTES = 4;

/** Appends the values of a column of `type`. */
export function putPlain(out: Output, type: DataType, leaf: Leaf): void {
  if (DataType.isBool(type)) putBits(out, leaf);
  else if (DataType.isDecimal(type)) putDecimals(out, leaf);
  else if (DataType.isDictionary(type)) putWords(out, leaf);
  else if (DataType.isUtf8(type) || DataType.isBinary(type)) putTexts(out, leaf);
  else putNumbers(out, leaf);
}

/** The bytes of an array of Arrow's. */
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

function putNumbers(out: Output, { data, places, count, present }: Leaf): void {
  const values = data.values as ArrayBufferView & { BYTES_PER_ELEMENT: number };
  const width = values.BYTES_PER_ELEMENT;
  const bytes = bytesOf(values);
  // Where no entry is without a value, they are all there in their order.
  if (present === count && count === data.length) return out.copy(bytes, 0, count * width);
  for (const place of places) if (place >= 0) out.copy(bytes, place * width, (place + 1) * width);
}

function putBits(out: Output, { data, places, present }: Leaf): void {
  out.reserve((present + 7) >> 3);
  const bits = data.values as Uint8Array;
  let [byte, held] = [0, 0];
  for (const place of places) {
    if (place < 0) continue;
    if (hasBit(bits, place)) byte |= 1 << held;
    if (++held < 8) continue;
    out.byte(byte);
    [byte, held] = [0, 0];
  }
  if (held > 0) out.byte(byte);
}

/** Arrow's decimals begin with their lowest byte, Parquet's with their highest. */
function putDecimals(out: Output, { data, places, present }: Leaf): void {
  out.reserve(present * DECIMAL_BYTES);
  const words = data.values as Uint32Array;
  for (const place of places) {
    if (place < 0) continue;
    for (let word = 3; word >= 0; word--, out.length += 4) out.view.setUint32(out.length, words[place * 4 + word]!);
  }
}

function putTexts(out: Output, { data, places }: Leaf): void {
  const { values, valueOffsets } = data as { values: Uint8Array; valueOffsets: Int32Array };
  for (const place of places) if (place >= 0) putText(out, values, valueOffsets[place]!, valueOffsets[place + 1]!);
}

/** Words of a dictionary, each where it stands. */
function putWords(out: Output, { data, places }: Leaf): void {
  const [words] = (data.dictionary as { data: readonly Data[] }).data;
  const { values, valueOffsets } = words as unknown as { values: Uint8Array; valueOffsets: Int32Array };
  const indices = data.values as Uint32Array;
  for (const place of places) {
    if (place < 0) continue;
    const word = indices[place]!;
    putText(out, values, valueOffsets[word]!, valueOffsets[word + 1]!);
  }
}

function putText(out: Output, from: Uint8Array, start: number, end: number): void {
  out.reserve(LENGTH_BYTES);
  out.view.setUint32(out.length, end - start, true);
  out.length += LENGTH_BYTES;
  out.copy(from, start, end);
}
