// A JSON string's bytes without its escapes.

import { protocolViolation } from "../connection/errors.ts";

const BACKSLASH = 0x5c,
  U = 0x75;
const ESCAPES = new Map([...'"\\/bfnrt'].map((letter, i) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]));

/** `bytes[start .. end)` stand between quotes. Half a surrogate pair becomes U+FFFD. */
export function unescapeCell(bytes: Buffer, start: number, end: number): Buffer {
  const cell = Buffer.allocUnsafe(end - start);
  let used = 0;
  for (let at = start; at < end; ) {
    const byte = bytes[at++]!;
    if (byte !== BACKSLASH) {
      cell[used++] = byte;
      continue;
    }
    const escape = bytes[at++]!;
    if (escape !== U) {
      cell[used++] = ESCAPES.get(escape) ?? protocolViolation("a text has an escape that JSON has not");
      continue;
    }
    let unit = readUnit(bytes, at, end);
    at += 4;
    let text = String.fromCharCode(unit);
    if (unit >= 0xd800 && unit < 0xdc00 && bytes[at] === BACKSLASH && bytes[at + 1] === U) {
      unit = readUnit(bytes, at + 2, end);
      if (unit >= 0xdc00 && unit < 0xe000) {
        text += String.fromCharCode(unit);
        at += 6;
      }
    }
    used += cell.write(text, used);
  }
  return cell.subarray(0, used);
}

function readUnit(bytes: Buffer, at: number, end: number): number {
  const digits = at + 4 <= end ? bytes.toString("latin1", at, at + 4) : "";
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : protocolViolation("a text has half an escape");
}
