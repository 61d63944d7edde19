// Requests to hosts that teams name, where what is asked for is read: without redirects, within a deadline, and a
// bounded part of the answer.

import { flawOfUrl } from "../webhooks/flaw-of-url.ts";
import { readBounded } from "./read-bounded.ts";

export type PublicRequest = { method: "GET" | "POST"; headers: Record<string, string>; body?: string | undefined };

/** Answers the whole response, or throws an Error that says why there is none; the error is for the log. */
export type FetchPublic = (url: string, request: PublicRequest) => Promise<Response>;

const ANSWER_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;

type Named = Parameters<typeof flawOfUrl>[0];

export const openFetchPublic = ({ settings }: Named): FetchPublic => {
  return async (url, { method, headers, body }) => {
    const flaw = flawOfUrl({ settings }, url);
    if (flaw !== undefined)
      throw new Error(`Nothing is asked of ${URL.canParse(url) ? new URL(url).host : "it"}: ${flaw}`);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body !== undefined && { body }),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error(`A redirect (${response.status}), which is not followed.`);
    }
    const bytes = await readBounded(response, ANSWER_BYTES_MAX);
    if (!bytes) throw new Error("The answer is too long.");
    return new Response(bytes, { status: response.status, headers: response.headers });
  };
};
