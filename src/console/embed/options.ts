// The page around hands in a token, the colour scheme, and how often to refresh: in the address's fragment, which no
// server sees, or by a message. Pure.

import type { ColorScheme } from "../ui/theme/provider.tsx";

export type Options = {
  token?: string;
  theme?: ColorScheme;
  /** In seconds; 0: not by itself. */
  refresh?: number;
};

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const REFRESH_SECONDS_MIN = 10;
const REFRESH_SECONDS_MAX = 86_400;

export const readFragment = (fragment: string): Options =>
  readOptions(Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, ""))));

/** Undefined for what is no message to this page. */
export function readMessage(data: unknown): Options | undefined {
  if (typeof data !== "object" || data === null || (data as { type?: unknown }).type !== "fjord:set") return undefined;
  return readOptions(data as Record<string, unknown>);
}

/** What is not of its kind is left out. */
function readOptions({ token, theme, refresh }: Record<string, unknown>): Options {
  const seconds = refresh === undefined || refresh === "" ? Number.NaN : Number(refresh);
  return {
    ...(typeof token === "string" && TOKEN.test(token) && { token }),
    ...((theme === "light" || theme === "dark" || theme === "auto") && { theme }),
    ...(seconds >= 0 && {
      refresh: seconds === 0 ? 0 : Math.min(Math.max(seconds, REFRESH_SECONDS_MIN), REFRESH_SECONDS_MAX),
    }),
  };
}
