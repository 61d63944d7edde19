// Signing in with a browser: a page of the console makes a key of the person's own, and sends it here, sealed for this
// process alone. No key is ever part of an address.

import { randomBytes, timingSafeEqual, webcrypto } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { NotSignedInError } from "../exit-codes.ts";
import { say } from "../output/terminal.ts";
import { openBrowser } from "./open-browser.ts";

export type OwnKey = { key: string; keyId: string };

/** As long as it may take to sign in first, by a mail perhaps. */
const WAIT_MS = 10 * 60_000;
const RSA = { name: "RSA-OAEP", modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" };
const MACHINE_CHARACTERS_MAX = 60;

/** Rejects where the person declines, nobody answers in time, or the signal aborts. */
export async function keyFromBrowser(url: string, signal: AbortSignal): Promise<OwnKey> {
  const pair = (await webcrypto.subtle.generateKey(RSA, false, ["encrypt", "decrypt"])) as webcrypto.CryptoKeyPair;
  const state = randomBytes(32).toString("base64url");
  const key = Buffer.from(await webcrypto.subtle.exportKey("spki", pair.publicKey)).toString("base64url");
  const server = createServer();
  try {
    const port = String(await listen(server));
    const address = `${url}/app/command-line?${new URLSearchParams({ port, state, key, machine: machine() })}`;
    const answered = untilAnswered(server, { state, privateKey: pair.privateKey }, signal);
    say(`Sign in with the browser. Where none opens, open this address on this machine:\n\n${address}\n`);
    openBrowser(address);
    return await answered;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function untilAnswered(server: Server, expected: Expected, signal: AbortSignal): Promise<OwnKey> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new NotSignedInError("Nobody has signed in with the browser in time."));
    AbortSignal.timeout(WAIT_MS).addEventListener("abort", late, { once: true });
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    server.on("request", (request, response) => {
      answer(request, response, expected).then((outcome) => outcome && resolve(outcome), reject);
    });
  });
}

/** Only programs of this machine reach it. */
function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** The name under which the key is listed: letters, digits and what else names of machines have. */
const machine = (): string =>
  hostname()
    .replaceAll(/[^\w .-]/g, "-")
    .slice(0, MACHINE_CHARACTERS_MAX) || "this machine";

type Expected = { state: string; privateKey: webcrypto.CryptoKey };

/** Undefined for a request that the page has not sent: whoever it is from, the wait goes on. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { state, privateKey }: Expected,
): Promise<OwnKey | undefined> {
  // Any page may send anything here: what is no address is another request that nobody waits for.
  const address = `http://127.0.0.1${request.url ?? "/"}`;
  const { pathname, searchParams: query } = new URL(URL.canParse(address) ? address : "http://127.0.0.1/unknown");
  if (request.method !== "GET" || pathname !== "/" || !isEqual(query.get("state") ?? "", state)) {
    show(response, 404, "This is not the address that the command line waits for.");
    return undefined;
  }
  if (query.has("error")) {
    show(response, 200, "Nothing was connected. You can close this page.");
    throw new NotSignedInError("The page was declined.");
  }
  const opened = await open(query.get("sealed") ?? "", privateKey);
  show(response, opened ? 200 : 400, opened ? "The command line is connected. You can close this page." : "It failed.");
  if (!opened) throw new NotSignedInError("What the browser brought was not for this sign-in. Try again.");
  return opened;
}

async function open(sealed: string, privateKey: webcrypto.CryptoKey): Promise<OwnKey | undefined> {
  try {
    const bytes = await webcrypto.subtle.decrypt(RSA.name, privateKey, Buffer.from(sealed, "base64url"));
    const { id, key } = JSON.parse(Buffer.from(bytes).toString("utf8")) as { id: string; key: string };
    return { key, keyId: id };
  } catch {
    return undefined;
  }
}

function isEqual(text: string, expected: string): boolean {
  const [bytes, wanted] = [Buffer.from(text), Buffer.from(expected)];
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

function show(response: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(`<!doctype html><title>fjord</title><p>${text}`);
}
