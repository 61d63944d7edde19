// Bytes are checked to be one JSON value, by their syntax and without parsing it: JSON of a source goes into our
// answers as it is, and those have to hold.

/** More levels than any database prints. */
const DEPTH_MAX = 10_000;

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  COLON = 0x3a,
  OPEN_LIST = 0x5b,
  CLOSE_LIST = 0x5d,
  OPEN_OBJECT = 0x7b,
  CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d,
  PLUS = 0x2b,
  POINT = 0x2e,
  ZERO = 0x30,
  MAX_DIGIT = 0x39,
  U = 0x75;
const WORDS: (Buffer | undefined)[] = [];
for (const word of ["true", "false", "null"]) WORDS[word.charCodeAt(0)] = Buffer.from(word);
/** The bytes that may follow a backslash, except `u`. */
const ESCAPES = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPES[byte] = 1;
/** The bytes that stand for themselves in a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20);
PLAIN[QUOTE] = PLAIN[BACKSLASH] = 0;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= MAX_DIGIT;
const isHex = (byte: number | undefined): boolean =>
  byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));

/** By RFC 8259's grammar; UTF-8 is not looked at. */
export function isJson(bytes: Uint8Array, from: number, to: number): boolean {
  // Whether each open level is an object.
  const levels: boolean[] = [];
  let at = from;
  for (;;) {
    at = afterSpace(bytes, at, to);
    if (at >= to) return false;
    const byte = bytes[at]!;
    const isObject = byte === OPEN_OBJECT;
    if (isObject || byte === OPEN_LIST) {
      at = afterSpace(bytes, at + 1, to);
      if (bytes[at] !== (isObject ? CLOSE_OBJECT : CLOSE_LIST) || at >= to) {
        if (levels.push(isObject) > DEPTH_MAX) return false;
        if (isObject && (at = afterKey(bytes, at, to)) < 0) return false;
        continue;
      }
      at++;
    } else if ((at = afterScalar(bytes, at, to)) < 0) return false;
    // A value has ended, and with it as many levels as are closed here.
    for (;;) {
      at = afterSpace(bytes, at, to);
      if (levels.length === 0) return at === to;
      if (at >= to) return false;
      const inObject = levels[levels.length - 1]!;
      const sign = bytes[at++];
      if (sign === COMMA) {
        if (inObject && (at = afterKey(bytes, afterSpace(bytes, at, to), to)) < 0) return false;
        break;
      }
      if (sign !== (inObject ? CLOSE_OBJECT : CLOSE_LIST)) return false;
      levels.pop();
    }
  }
}

function afterSpace(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && bytes[at]! <= 0x20 && isSpace(bytes[at]!)) at++;
  return at;
}

/** Reads past `"key":`. This function and those below return -1 where their text is not there. */
function afterKey(bytes: Uint8Array, at: number, to: number): number {
  const end = at < to && bytes[at] === QUOTE ? afterString(bytes, at + 1, to) : -1;
  if (end < 0) return -1;
  const colon = afterSpace(bytes, end, to);
  return colon < to && bytes[colon] === COLON ? colon + 1 : -1;
}

function afterScalar(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!;
  if (first === QUOTE) return afterString(bytes, at + 1, to);
  const word = first > MAX_DIGIT ? WORDS[first] : undefined;
  if (!word) return afterNumber(bytes, at, to);
  for (let i = 0; i < word.length; i++) if (at + i >= to || bytes[at + i] !== word[i]) return -1;
  return at + word.length;
}

function afterString(bytes: Uint8Array, at: number, to: number): number {
  for (;;) {
    while (at < to && PLAIN[bytes[at]!] === 1) at++;
    if (at >= to) return -1;
    const byte = bytes[at++]!;
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH || at >= to) return -1;
    const escape = bytes[at++]!;
    if (escape === U) {
      for (let i = 0; i < 4; i++) if (at >= to || !isHex(bytes[at++])) return -1;
    } else if (ESCAPES[escape] === 0) return -1;
  }
}

function afterNumber(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] === MINUS) at++;
  if (at < to && bytes[at] === ZERO) at++;
  else if ((at = afterDigits(bytes, at, to)) < 0) return -1;
  if (at < to && bytes[at] === POINT && (at = afterDigits(bytes, at + 1, to)) < 0) return -1;
  if (at >= to || (bytes[at]! | 0x20) !== 0x65) return at;
  at++;
  if (at < to && (bytes[at] === MINUS || bytes[at] === PLUS)) at++;
  return afterDigits(bytes, at, to);
}

function afterDigits(bytes: Uint8Array, at: number, to: number): number {
  const from = at;
  while (at < to && isDigit(bytes[at])) at++;
  return at > from ? at : -1;
}
