// An operation is called with this context besides its input, whichever transport the call came by.

import type { Clients } from "../clients/clients.ts";
import type { Context } from "../clients/context.ts";

/** What a page or a public document may ask for instead of the usual headers. */
export type HeaderOverrides = { "Cache-Control"?: string; "Content-Security-Policy"?: string };

/** What a transport knows of a call. */
export type Call = {
  /** As it came: operations read headers and streamed bodies of it. A transport other than HTTP makes one up. */
  request: Request;
  requestId: string;
  /** Milliseconds, of `performance.now()`'s clock. */
  startedAt: number;
  /** How long it took to find the key's holder, in milliseconds; absent where it was known. */
  authenticateMs?: number | undefined;
  /** What the own check of an operation found; absent where it has none. */
  checked?: unknown;
  /** Keeps work alive that goes on after the answer. */
  waitUntil(work: Promise<unknown>): void;
  /** For an answer that wants other headers than the usual ones. */
  overrideHeaders(headers: HeaderOverrides): void;
};

/** A call whose caller holds a key. */
export type CallContext = Context & Call;
/** A call that needs no key. */
export type OpenContext = Clients & Call;
