// Saved queries and terms of the glossary as the palette finds them.

import { api, dataOf } from "../../api/client.ts";
import type { ThingSource } from "./targets.ts";

const FOUND_MAX = 8;

export const TERMS: ThingSource = {
  name: "terms",
  rights: ["catalog:read", "query"],
  async find(text) {
    if (text === "") return [];
    const query = { text, kind: ["term" as const], limit: FOUND_MAX };
    const { items } = await dataOf(api.GET("/v4/catalog/search", { params: { query } }));
    return items.map(({ id, name }) => ({ title: name, path: `/knowledge/${id}`, icon: "knowledge", kind: "Term" }));
  },
};

export const SAVED_QUERIES: ThingSource = {
  name: "saved queries",
  rights: ["query"],
  async find(text) {
    const { items } = await dataOf(
      api.GET("/v4/queries", { params: { query: { limit: FOUND_MAX, ...(text && { search: text }) } } }),
    );
    return items.map(({ id, name }) => ({ title: name, path: `/queries/${id}`, icon: "saved", kind: "Saved query" }));
  },
};
