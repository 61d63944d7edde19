// The whole grammar of a doc, closed: what nothing here reads is no part of it. What it says is published as JSON
// Schema.

import { z } from "@hono/zod-openapi";
import { DocAutomations } from "./automation.ts";
import { dashboardMembers } from "../../../../kernel/docs/dashboard.ts";
import type { QUERY_KEYS } from "../../semantic/query/read-query.ts";
import {
  CubeDataset,
  DatasetKey,
  Definition,
  Input,
  inputsOf,
  Metadata,
  PythonDataset,
  SqlDataset,
} from "./definition.ts";

const Members = z.array(z.string()).optional();
const Count = z.number().int().min(0).optional();
const Flag = z.boolean().optional();
const Objects = z.array(z.record(z.string(), z.unknown())).optional();

/** What is in them is the semantic layer's to say, against the model. */
const queryMembers: Record<(typeof QUERY_KEYS)[number], z.ZodOptional> = {
  measures: Members,
  dimensions: Members,
  segments: Members,
  timeDimensions: Objects,
  filters: Objects,
  order: z
    .union([z.record(z.string(), z.string()), z.array(z.array(z.string())), z.array(z.record(z.string(), z.unknown()))])
    .optional(),
  limit: Count,
  offset: Count,
  timezone: z.string().optional(),
  total: Flag,
  ungrouped: Flag,
  responseFormat: z.string().optional(),
  joinHints: z.array(z.array(z.string())).optional(),
  cache: z.string().optional(),
  cacheMode: z.string().optional(),
  renewQuery: Flag,
};

const GrammarDataset = z.discriminatedUnion("engine", [
  z.strictObject({ ...PythonDataset.shape, inputs: inputsOf(z.strictObject(Input.shape)).optional() }),
  z.strictObject(SqlDataset.shape),
  z.strictObject({ ...CubeDataset.shape, ...queryMembers }),
]);

export const Grammar = z.strictObject({
  ...Definition.shape,
  metadata: z.strictObject(Metadata.shape),
  datasets: z.record(DatasetKey, GrammarDataset).default({}),
  ...dashboardMembers,
  automations: DocAutomations.optional(),
});
export type Grammar = z.infer<typeof Grammar>;
