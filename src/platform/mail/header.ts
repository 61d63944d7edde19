// Headers of mails. Whatever text goes into one, it stays that one header: each value is made of pieces of printable
// ASCII, and nothing but this file puts them together.

import { toBase64 } from "../../core/encoding.ts";

/** The pieces of a header's value, which stand on lines of their own. */
export type HeaderValue = readonly string[];

const PRINTABLE = /^[\x20-\x7e]+$/;
/** With the header's name and the folding space; RFC 5322 allows 998. */
const PIECE_CHARACTERS_MAX = 900;

/** Throws an Error for a piece that could begin another header: there is a bug in who made it. */
export function headerLine(name: string, value: HeaderValue): string {
  const bad =
    value.length === 0 || value.some((piece) => !PRINTABLE.test(piece) || piece.length > PIECE_CHARACTERS_MAX);
  if (bad || !/^[A-Za-z-]+$/.test(name)) throw new Error(`The header ${name} has a value that it can't have.`);
  return `${name}: ${value.join("\r\n ")}`;
}

/** One encoded word holds so many bytes of UTF-8: with its frame it has 75 characters at most (RFC 2047 §2). */
const WORD_BYTES_MAX = 45;

/** Any text of one line: as it is where it is short printable ASCII, else as encoded words (RFC 2047). */
export function headerText(text: string): HeaderValue {
  // What looks like an encoded word would be read as one.
  const isPlain = PRINTABLE.test(text) && text.length <= 60 && !text.includes("=?") && text === text.trim();
  return isPlain ? [text] : encodedWords(text);
}

/** A name before an address: what has a meaning there, as commas and quotes, is encoded too. */
export const headerName = (name: string): HeaderValue => (/^[\w ]{1,60}$/.test(name) ? [name] : encodedWords(name));

function encodedWords(text: string): HeaderValue {
  const encoder = new TextEncoder();
  const words: string[] = [];
  let word: number[] = [];
  const end = () => words.push(`=?UTF-8?B?${toBase64(Uint8Array.from(word))}?=`);
  for (const character of text) {
    const bytes = encoder.encode(character);
    if (word.length + bytes.length > WORD_BYTES_MAX) {
      end();
      word = [];
    }
    word.push(...bytes);
  }
  end();
  return words;
}

/** A parameter of a header whose value is any text of one line (RFC 2231). */
export const headerParameter = (name: string, text: string): string =>
  /^[\w .()-]{1,100}$/.test(text)
    ? `${name}="${text}"`
    : `${name}*=UTF-8''${encodeURIComponent(text).replaceAll(/['()*!]/g, percentEncoded)}`;

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
