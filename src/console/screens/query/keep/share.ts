// A link holds a query, its text, values and source, in the fragment, which no server sees. Opened it makes a new tab
// and runs nothing.

import type { Tab } from "../tabs/tab.ts";

type Shared = Pick<Tab, "title" | "text" | "integrationId" | "values">;

const MARK = "#q=";
/** Other screens link a text alone: `queryHref`. */
const TEXT_MARK = "#sql=";

export function shareLink({ title, text, integrationId, values }: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ title, text, integrationId, values }));
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.origin}/app/query${MARK}${packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** What a fragment holds; undefined where it holds no query. */
export function readShared(fragment: string): Shared | undefined {
  try {
    if (fragment.startsWith(TEXT_MARK)) {
      const text = decodeURIComponent(fragment.slice(TEXT_MARK.length));
      return { title: "", text, integrationId: null, values: {} };
    }
    if (!fragment.startsWith(MARK)) return undefined;
    const packed = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const given: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(packed, (one) => one.charCodeAt(0))));
    const { title, text, integrationId, values } = given as Partial<Shared>;
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
