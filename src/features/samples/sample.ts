// The sample: a few related tables anybody may load into a lake, so that the first query has something to ask.

import { z } from "@hono/zod-openapi";

/** The schema the tables go to, the lease that keeps two loads apart. */
export const SAMPLE_SCHEMA = "sample";
export const SAMPLE_LEASE = "sample";

export const Sample = z
  .object({
    status: z.enum(["absent", "loading", "loaded"]),
    tables: z.array(z.object({ schema: z.string(), name: z.string(), rows: z.number().int() }).openapi("SampleTable")),
    jobId: z.uuid().nullable().openapi({ description: "The engine job that loads it, while it does." }),
    error: z.string().nullable().openapi({ description: "Why the last load failed, while that is known." }),
  })
  .openapi("Sample");
export type Sample = z.infer<typeof Sample>;

export type SampleTables = Sample["tables"];

/**
 * The catalog's and the engine's facts of a load. `job` is undefined when the engine does not know it, or no longer.
 */
export type LoadState = {
  jobId: string;
  job: { state: "running" | "succeeded" | "failed" | "cancelled"; error: string | null } | undefined;
};

/** Pure. A load commits its tables at once and at its end, so what is there when none runs is whole. */
export function sampleOf(tables: SampleTables, load: LoadState | undefined): Sample {
  if (load?.job?.state === "running") return { status: "loading", tables: [], jobId: load.jobId, error: null };
  if (tables.length > 0) return { status: "loaded", tables, jobId: null, error: null };
  // A job that the engine does not know may be on its way there still; its lease runs out when it is not.
  if (load && !load.job) return { status: "loading", tables: [], jobId: load.jobId, error: null };
  return {
    status: "absent",
    tables: [],
    jobId: null,
    error: load && hasFailed(load) ? (load.job?.error ?? "The load was cancelled.") : null,
  };
}

export const hasFailed = ({ job }: LoadState): boolean => job?.state === "failed" || job?.state === "cancelled";
