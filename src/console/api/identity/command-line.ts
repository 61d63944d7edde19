// The command line `fjord login` leads a person here for a key. It gets the key sealed for it alone: what is in the
// address that the browser goes to opens with the private key of the process that waits there, and nothing else.

import { fromBase64url, toBase64url } from "../base64.ts";
import { api, dataOf } from "../client.ts";
import type { Right } from "../me.ts";

const PATH = "/command-line";
const DAY_MS = 86_400_000;
export const KEY_DAYS = 90;

export const isCommandLine = (path: string): boolean => path === PATH;

/** `port`: where it listens on this machine; `publicKey`: what the key is sealed with, in base64url. */
export type CommandLineRequest = Readonly<{ port: number; publicKey: string; state: string; machine: string }>;

/** Undefined for an address that no `fjord login` has made. */
export function requestOf(search: URLSearchParams): CommandLineRequest | undefined {
  const text = (name: string) => search.get(name) ?? "";
  const [port, publicKey, state, machine] = [Number(text("port")), text("key"), text("state"), text("machine")];
  const isPort = /^\d{4,5}$/.test(text("port")) && port >= 1_024 && port <= 65_535;
  const isSealable = /^[\w-]{300,1000}$/.test(publicKey) && /^[\w-]{43}$/.test(state);
  return isPort && isSealable && /^[\w .-]{1,60}$/.test(machine) ? { port, publicKey, state, machine } : undefined;
}

const RSA = { name: "RSA-OAEP", hash: "SHA-256" };

/** Makes a key of the person's own, and answers where the browser goes with it. */
export async function connectCommandLine(request: CommandLineRequest, scopes: Right[]): Promise<string> {
  // Before the key is made: one that can't be sealed is of no use.
  const sealing = await crypto.subtle.importKey("spki", fromBase64url(request.publicKey), RSA, false, ["encrypt"]);
  const expiresAt = new Date(Date.now() + KEY_DAYS * DAY_MS).toISOString();
  const body = { name: `fjord on ${request.machine}`, expires_at: expiresAt, scopes };
  const { id, key } = await dataOf(api.POST("/v4/keys", { body }));
  const sealed = await crypto.subtle.encrypt(RSA, sealing, new TextEncoder().encode(JSON.stringify({ id, key })));
  return answerUrl(request, { sealed: toBase64url(new Uint8Array(sealed)) });
}

export const declineUrl = (request: CommandLineRequest): string => answerUrl(request, { error: "declined" });

/** Always the machine of the browser itself. */
const answerUrl = ({ port, state }: CommandLineRequest, answer: Record<string, string>): string =>
  `http://127.0.0.1:${port}/?${new URLSearchParams({ ...answer, state })}`;
