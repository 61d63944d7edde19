// A link holds a query, its text, values and source, in the fragment, which no server sees. Opened it makes a new tab
// of the workspace and runs nothing.

import { fromBase64url, toBase64url } from "./base64.ts";
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
  return `/query${MARK}${toBase64url(bytes)}`;
}

/** The query's whole address, to be sent to others. */
export const shareLink = (query: LinkedQuery): string => `${location.origin}/app${queryHref(query)}`;

/** What a fragment holds; undefined where it holds no query. */
export function readLinked(fragment: string): LinkedQuery | undefined {
  if (!fragment.startsWith(MARK)) return undefined;
  try {
    const given: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(fragment.slice(MARK.length))));
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
