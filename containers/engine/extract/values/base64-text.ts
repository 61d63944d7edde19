// Bytes as base64, as DuckDB keeps them.

import type { VectorColumn } from "../vector-column.ts";
import { invalidValue } from "./invalid-value.ts";

const PADDING = 0x3d;

/** With its padding. */
export function putBase64(to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
  const end = at + length;
  const padding = length === 0 || bytes[end - 1] !== PADDING ? 0 : bytes[end - 2] === PADDING ? 2 : 1;
  const decoded = Buffer.from(bytes.toString("latin1", at, end), "base64");
  // Node passes over what is no base64: then fewer bytes are there than the length says.
  if (length % 4 !== 0 || decoded.length !== (length / 4) * 3 - padding) invalidValue();
  to.putBytes(row, decoded, 0, decoded.length);
}
