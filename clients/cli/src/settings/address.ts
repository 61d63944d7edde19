// A platform's address and key as people type them, checked before any request has them. No message has a key.

import { UsageError } from "../exit-codes.ts";

/** A platform of this machine is reached without TLS. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/;
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);

/** The address with its scheme, and without a slash at its end. Throws `UsageError`. */
export function checkAddress(word: string): string {
  const scheme = LOOPBACK.test(word) ? "http" : "https";
  const whole = word.includes("://") ? word : `${scheme}://${word}`;
  if (!URL.canParse(whole) || !SCHEMES.has(new URL(whole).protocol))
    throw new UsageError(`${word} is no address of a platform.`);
  const { username, password } = new URL(whole);
  if (username !== "" || password !== "") throw new UsageError("The address has a user's name or password in it.");
  return whole.replace(/\/+$/, "");
}

/** The key without space around it. Throws `UsageError`. */
export function checkKey(word: string): string {
  const key = word.trim();
  if (key === "") throw new UsageError("The key is empty.");
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError("The key has a character that no key has, as a line break.");
  return key;
}
