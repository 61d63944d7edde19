// Docs, dashboards and jobs, as the palette finds them by their names.

import { api, dataOf } from "../../api/client.ts";
import type { ThingSource } from "./targets.ts";

const FOUND_MAX = 20;

export const WORK_SOURCES: readonly ThingSource[] = [
  {
    name: "docs",
    rights: ["docs:read"],
    async find(text) {
      const query = { limit: FOUND_MAX, ...(text && { name: text }) };
      const { items } = await dataOf(api.GET("/v4/docs", { params: { query } }));
      return items.map(({ id, name, kind }) =>
        kind === "dashboard"
          ? { title: name, path: `/dashboards/${id}`, icon: "dashboard", kind: "Dashboard" }
          : { title: name, path: `/docs/${id}`, icon: "doc", kind: "Doc" },
      );
    },
  },
  {
    name: "jobs",
    rights: ["jobs:read"],
    async find(text) {
      const query = { limit: FOUND_MAX, ...(text && { name: text }) };
      const { items } = await dataOf(api.GET("/v4/automations/jobs", { params: { query } }));
      return items.map(({ id, name }) => ({
        title: name,
        path: `/automations/${id}`,
        icon: "automation",
        kind: "Job",
      }));
    },
  },
];
