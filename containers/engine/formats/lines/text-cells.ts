// Texts as cells of CSV and strings of JSON. Each function writes at `at` and answers where it ends. There is room for
// the text's bytes and quotes; what escapes need beyond it they make themselves.

import type { Output } from "../output.ts";

/** A text: `length` bytes of `bytes`, from `from`. `words` is a view of `bytes`, for reading words. */
export type TextCell = {
  readonly bytes: Uint8Array;
  readonly words: DataView;
  readonly from: number;
  readonly length: number;
  /** A JSON string has this in place of a control character, a quote or a backslash. */
  readonly escapes: JsonEscapes;
};

export type JsonEscapes = ReadonlyMap<number, Uint8Array>;
export type PutText = (out: Output, at: number, text: TextCell) => number;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** 1 for each byte for which a cell of CSV is quoted. */
const CSV_SPECIAL = specialBytes([...Buffer.from(',"\n\r')]);
/** 1 for each byte that a JSON string can't hold as it stands. */
const JSON_SPECIAL = specialBytes([QUOTE, BACKSLASH, ...Array.from({ length: 0x20 }, (_, i) => i)]);

function specialBytes(bytes: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}

/** JavaScript writes this in place of a byte. */
export const JSON_ESCAPES: JsonEscapes = escapesOf((digits) => digits);
/** DuckDB writes this; its hexadecimal digits are capital letters. */
export const DUCKDB_ESCAPES: JsonEscapes = escapesOf((digits) => digits.toUpperCase());

/** How many bytes more each byte takes in a cell in quotes, and in a JSON string. */
const CSV_EXTRA = extraOf(new Map([[QUOTE, Buffer.from('""')]]));
const JSON_EXTRA = extraOf(JSON_ESCAPES);
export const QUOTES_BYTES = 2;

function extraOf(spelled: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const table = new Uint8Array(256);
  for (const [byte, { length }] of spelled) table[byte] = length - 1;
  return table;
}

/** The exact number of bytes, since a bound for any text would be several times the size of a long one. */
function spelledBytes({ bytes, from, length }: TextCell, extra: Uint8Array): number {
  let sum = QUOTES_BYTES + length;
  for (let i = from; i < from + length; i++) sum += extra[bytes[i]!]!;
  return sum;
}

function escapesOf(hex: (digits: string) => string): JsonEscapes {
  const escapeOf = (byte: number): Uint8Array => {
    const escape = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
    return Buffer.from(escape.length > 2 ? `\\u${hex(escape.slice(2))}` : escape);
  };
  const special = [...JSON_SPECIAL.keys()].filter((byte) => JSON_SPECIAL[byte]);
  return new Map(special.map((byte) => [byte, escapeOf(byte)]));
}

/** Copies a cell whose bytes are a value's spelling already. */
export function putBare({ bytes: target, view }: Output, at: number, { bytes, words, from, length }: TextCell): number {
  const inWords = length & ~3;
  for (let i = 0; i < inWords; i += 4) view.setInt32(at + i, words.getInt32(from + i, true), true);
  for (let i = inWords; i < length; i++) target[at + i] = bytes[from + i]!;
  return at + length;
}

const ONES = 0x0101_0101;
const TOPS = 0x8080_8080 | 0;
const QUOTES = ONES * QUOTE;
const BACKSLASHES = ONES * BACKSLASH;
const COMMAS = ONES * 0x2c;
const LINE_FEEDS = ONES * 0x0a;
const CARRIAGE_RETURNS = ONES * 0x0d;
const BLANKS = ONES * 0x20;

/** Has its top bits where a byte of `word` is 0 (and maybe in bytes above that); 0 where none is. */
const zeroBytes = (word: number): number => (word - ONES) & ~word & TOPS;

const csvSpecials = (word: number): number =>
  zeroBytes(word ^ COMMAS) |
  zeroBytes(word ^ QUOTES) |
  zeroBytes(word ^ LINE_FEEDS) |
  zeroBytes(word ^ CARRIAGE_RETURNS);

const jsonSpecials = (word: number): number =>
  ((word - BLANKS) & ~word & TOPS) | zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);

/** The empty string is `""`; what holds a comma, a quote or a line break is quoted. */
export function putCsvText(out: Output, at: number, text: TextCell): number {
  const { bytes, words, from, length } = text;
  const { bytes: target, view } = out;
  let special = length === 0 ? 1 : 0;
  const inWords = length & ~3;
  for (let i = 0; i < inWords; i += 4) {
    const word = words.getInt32(from + i, true);
    special |= csvSpecials(word);
    view.setInt32(at + i, word, true);
  }
  for (let i = inWords; i < length; i++) {
    const byte = bytes[from + i]!;
    special |= CSV_SPECIAL[byte]!;
    target[at + i] = byte;
  }
  return special === 0 ? at + length : putQuoted(out, at, text);
}

function putQuoted(out: Output, at: number, text: TextCell): number {
  out.reserve(spelledBytes(text, CSV_EXTRA), at);
  const { bytes, from, length } = text;
  const { bytes: target } = out;
  let end = at;
  target[end++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const byte = bytes[from + i]!;
    if (byte === QUOTE) target[end++] = QUOTE;
    target[end++] = byte;
  }
  target[end++] = QUOTE;
  return end;
}

export function putJsonText(out: Output, at: number, text: TextCell): number {
  const { bytes, words, from, length } = text;
  const { bytes: target, view } = out;
  const start = at + 1;
  let special = 0;
  const inWords = length & ~3;
  for (let i = 0; i < inWords; i += 4) {
    const word = words.getInt32(from + i, true);
    special |= jsonSpecials(word);
    view.setInt32(start + i, word, true);
  }
  for (let i = inWords; i < length; i++) {
    const byte = bytes[from + i]!;
    special |= JSON_SPECIAL[byte]!;
    target[start + i] = byte;
  }
  if (special !== 0) return putEscaped(out, at, text);
  target[at] = QUOTE;
  target[start + length] = QUOTE;
  return start + length + 1;
}

function putEscaped(out: Output, at: number, text: TextCell): number {
  out.reserve(spelledBytes(text, JSON_EXTRA), at);
  const { bytes, from, length, escapes } = text;
  const { bytes: target } = out;
  let end = at;
  target[end++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const byte = bytes[from + i]!;
    if (JSON_SPECIAL[byte] === 0) target[end++] = byte;
    else for (const escape of escapes.get(byte)!) target[end++] = escape;
  }
  target[end++] = QUOTE;
  return end;
}
