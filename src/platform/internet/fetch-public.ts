// Requests to hosts that teams name, where what is asked for is read: without redirects, within a deadline, and a
// bounded part of the answer.

import { flawOfUrl } from "../webhooks/flaw-of-url.ts";
import { readBounded } from "./read-bounded.ts";

/** `bounds`: tighter ones than {@link BOUNDS}. */
export type PublicRequest = {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | undefined;
  bounds?: Bounds;
};

/** How long an answer is waited for, and how much of it is read. */
type Bounds = { answerMs: number; bytesMax: number };

/** Answers the whole response, or throws an Error that says why there is none; the error is for the log. */
export type FetchPublic = (url: string, request: PublicRequest) => Promise<Response>;

const BOUNDS: Bounds = { answerMs: 10_000, bytesMax: 256 * 1024 };

type Named = Parameters<typeof flawOfUrl>[0];

export const openFetchPublic = ({ settings }: Named): FetchPublic => {
  return async (url, { method, headers, body, bounds: { answerMs, bytesMax } = BOUNDS }) => {
    const flaw = flawOfUrl({ settings }, url);
    if (flaw !== undefined)
      throw new Error(`Nothing is asked of ${URL.canParse(url) ? new URL(url).host : "it"}: ${flaw}`);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(answerMs),
      ...(body !== undefined && { body }),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error(`A redirect (${response.status}), which is not followed.`);
    }
    const bytes = await readBounded(response, bytesMax);
    if (!bytes) throw new Error("The answer is too long.");
    return new Response(bytes, { status: response.status, headers: response.headers });
  };
};
