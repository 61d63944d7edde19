// The paths that the routes of docs share.

import { z } from "@hono/zod-openapi";

export const DocPath = z.object({ doc_id: z.string() });
export const DocRunPath = DocPath.extend({ run_id: z.string() });
export const ExecutionPath = z.object({ execution_id: z.string() });
