// The tool that saves docs.

import { z } from "@hono/zod-openapi";
import type { WrittenDoc } from "../../docs/doc.ts";
import { tool } from "../tool.ts";

export const saveDoc = tool({
  name: "save_doc",
  group: "docs",
  title: "Save a doc",
  description:
    "A dashboard, report or pipeline from its whole definition in YAML (grammar: /schemas/doc-2025-01.json): a new doc, or " +
    "with doc_id another version; with version only if that is the newest. Flaws come with line and column.",
  input: z.strictObject({ text: z.string(), doc_id: z.string().optional(), version: z.number().int().optional() }),
  operations: ["createDoc", "updateDoc"],
  reads: false,
  async run(calls, { text, doc_id, version }) {
    const headers = {
      "content-type": "application/yaml",
      ...(version !== undefined && { "if-match": `"${version}"` }),
    };
    const doc = await (doc_id === undefined
      ? calls.call<WrittenDoc>("createDoc", {}, { headers, text })
      : calls.call<WrittenDoc>("updateDoc", { params: { doc_id } }, { headers, text }));
    return { id: doc.id, name: doc.name, version: doc.version, warnings: doc.warnings };
  },
});
