// Saved queries as the palette finds them.

import { api, dataOf } from "../../api/client.ts";
import type { ThingSource } from "./targets.ts";

const FOUND_MAX = 8;

export const SAVED_QUERIES: ThingSource = {
  name: "saved queries",
  isFor: ({ rights }) => rights.includes("query"),
  async find(text) {
    const { items } = await dataOf(
      api.GET("/v4/queries", { params: { query: { limit: FOUND_MAX, ...(text && { search: text }) } } }),
    );
    return items.map(({ id, name }) => ({ title: name, path: `/queries/${id}`, icon: "saved", kind: "Saved query" }));
  },
};
