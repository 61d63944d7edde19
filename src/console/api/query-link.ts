// A link holds a query, its text, values and source, in the fragment, which no server sees. Opened it makes a new tab
// of the workspace and runs nothing.

import type { ParameterType } from "../../../kernel/wire/parameter-types.ts";

/** `auto` takes the type that the text looks like, `isNull` sends NULL, and a list is typed with commas. */
export type TypedValue = { type: ParameterType | "auto"; text: string; isNull?: boolean; isList?: boolean };

/** `integrationId` is null for the team's lake. */
export type LinkedQuery = {
  title: string;
  text: string;
  integrationId: string | null;
  values: Record<string, TypedValue>;
};

const MARK = "#q=";

/** Where the workspace opens with the query. */
export function queryHref({ title = "", text, integrationId = null, values = {} }: Partial<LinkedQuery>): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ title, text, integrationId, values }));
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `/query${MARK}${packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The same to be sent to others. */
export const shareLink = (query: LinkedQuery): string => `${location.origin}/app${queryHref(query)}`;

/** What a fragment holds; undefined where it holds no query. */
export function readLinked(fragment: string): LinkedQuery | undefined {
  if (!fragment.startsWith(MARK)) return undefined;
  try {
    const packed = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const given: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(packed, (one) => one.charCodeAt(0))));
    const { title, text, integrationId, values } = given as Partial<LinkedQuery>;
    if (typeof text !== "string") return undefined;
    return {
      title: typeof title === "string" ? title : "",
      text,
      integrationId: typeof integrationId === "string" ? integrationId : null,
      values: typeof values === "object" && values !== null ? values : {},
    };
  } catch {
    return undefined;
  }
}
