// Text as SQL Server sends it, UTF-16 or in a collation's code page, written as UTF-8.

import { Failure } from "../../../core/failure.ts";
import { protocolViolation } from "../connection/tokens.ts";
import type { WriteCell } from "./write-cell.ts";

/** Half of a pair that stands alone stays what it is, in bytes that are no UTF-8: whoever takes them refuses them. */
export const putUtf16: WriteCell = (into, at, from, start, end) => {
  if (((end - start) & 1) !== 0) protocolViolation("a text ends within a character");
  for (let i = start; i < end; i += 2) {
    const unit = from[i]! | (from[i + 1]! << 8);
    if (unit < 0x80) into[at++] = unit;
    else if (unit < 0x800) {
      into[at++] = 0xc0 | (unit >> 6);
      into[at++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) at = putThree(into, at, unit);
    else {
      const next = unit < 0xdc00 && i + 4 <= end ? from[i + 2]! | (from[i + 3]! << 8) : 0;
      if (next < 0xdc00 || next > 0xdfff) at = putThree(into, at, unit);
      else {
        at = putFour(into, at, 0x1_0000 + ((unit - 0xd800) << 10) + (next - 0xdc00));
        i += 2;
      }
    }
  }
  return at;
};

function putThree(into: Buffer, at: number, unit: number): number {
  into[at] = 0xe0 | (unit >> 12);
  into[at + 1] = 0x80 | ((unit >> 6) & 0x3f);
  into[at + 2] = 0x80 | (unit & 0x3f);
  return at + 3;
}

function putFour(into: Buffer, at: number, point: number): number {
  into[at] = 0xf0 | (point >> 18);
  into[at + 1] = 0x80 | ((point >> 12) & 0x3f);
  into[at + 2] = 0x80 | ((point >> 6) & 0x3f);
  into[at + 3] = 0x80 | (point & 0x3f);
  return at + 4;
}

/** The code pages for which Node has decoders, by their names there. */
const DECODERS: Record<string, string> = {
  "utf-8": "utf-8",
  CP874: "windows-874",
  CP932: "shift_jis",
  CP936: "gbk",
  CP949: "euc-kr",
  CP950: "big5",
  CP1250: "windows-1250",
  CP1251: "windows-1251",
  CP1252: "windows-1252",
  CP1253: "windows-1253",
  CP1254: "windows-1254",
  CP1255: "windows-1255",
  CP1256: "windows-1256",
  CP1257: "windows-1257",
  CP1258: "windows-1258",
};

/** The upper halves of those that it has not. */
const UPPER_HALVES: Record<string, string> = {
  CP437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  CP850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
};

type Decode = (bytes: Buffer) => string;

/**
 * Writes text in a code page; `column` is the column's name. Text beyond plain ASCII is refused where no table here
 * knows the code page, or its table has no such bytes.
 */
export function textWriter(codepage: string | undefined, column: string): WriteCell {
  const decode = decoderOf(codepage, column);
  return (into, at, from, start, end) => {
    let i = start;
    while (i < end && from[i]! < 0x80) into[at++] = from[i++]!;
    return i === end ? at : at + into.write(decode(from.subarray(i, end)), at, "utf8");
  };
}

function decoderOf(codepage: string | undefined, column: string): Decode {
  const upper = UPPER_HALVES[codepage ?? ""];
  if (upper)
    return (bytes) =>
      Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])).join("");
  const label = DECODERS[codepage ?? ""];
  if (label === undefined)
    return () =>
      refuse(`Column ${column} is in a collation whose code page is not known here. CAST the column AS nvarchar.`);
  const decoder = new TextDecoder(label, { ignoreBOM: true, fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return refuse(
        `Column ${column} holds bytes that are no text in its collation's code page (${codepage}), so it can't be ` +
          "read without loss. Correct it at the source, or cast it to bytes in the statement.",
      );
    }
  };
}

const refuse = (message: string): never => {
  throw new Failure("sql_error", message);
};
