// Opens a saved query in a tab: the one that holds it already, or a new one.

import { api, dataOf } from "../../../api/client.ts";
import type { TabStore } from "../tabs/tab-store.ts";
import type { TypedValue } from "../../../api/query-link.ts";

type Declared = { type: TypedValue["type"]; list?: boolean; default?: unknown };

/** Answers the tab's id. A draft that is open already is shown as it is, and not written over. */
export async function openSaved(store: TabStore, queryId: string): Promise<string> {
  const open = store.open.find(({ saved }) => saved?.id === queryId);
  if (open) return open.id;
  const query = await dataOf(api.GET("/v4/queries/{query_id}", { params: { path: { query_id: queryId } } }));
  if (query.sql === undefined) throw new Error("This saved query is a semantic one: it has no SQL to edit.");
  const values = Object.entries(query.parameters as Record<string, Declared>).map(([name, declared]) => [
    name,
    valueOf(declared),
  ]);
  return store.add({
    title: query.name,
    text: query.sql,
    integrationId: query.integration_id,
    values: Object.fromEntries(values) as Record<string, TypedValue>,
    saved: { id: query.id, version: query.version },
  }).id;
}

function valueOf({ type, list = false, default: value }: Declared): TypedValue {
  const text = Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "" : String(value);
  return { type, text, isList: list, isNull: value === null };
}
