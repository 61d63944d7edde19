// A team's own Trino, as the engine is asked to run statements on it or to test it: a part of the engine's contract
// with the Worker.

import { z } from "zod";

/**
 * `url` has no path; of `password` and `token` there is one at most. `catalog` is the cluster's name of the lake.
 * `sslrootcert`: PEM text; absent, the public authorities are believed.
 */
export const ClusterCredentials = z.strictObject({
  url: z.string(),
  username: z.string(),
  password: z.string().optional(),
  token: z.string().optional(),
  catalog: z.string(),
  sslrootcert: z.string().optional(),
});
export type ClusterCredentials = z.infer<typeof ClusterCredentials>;

/** The secrets among the credentials, which are taken out of every message. */
export const secretsOfCluster = ({ password, token }: ClusterCredentials): string[] =>
  [password, token].filter((secret): secret is string => secret !== undefined);

/** A part of a text that another takes the place of; both ends count UTF-16 code units. */
const Edit = z.strictObject({
  at: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  text: z.string(),
});

export const ClusterTarget = z.strictObject({
  kind: z.literal("cluster"),
  cluster: ClusterCredentials,
  /** What the cluster is sent is the statement's text with these edits, in ascending order. */
  edits: z.array(Edit),
  /** The time zone of the session. */
  timeZone: z.string(),
  /**
   * `cells`: rows as of any other target. `trino`: each line of NDJSON is `{"r":[…]}` with the values as Trino's
   * protocol has them.
   */
  form: z.enum(["cells", "trino"]),
  /** False where whoever reads the values knows no fractions of a second but milliseconds. */
  isParametric: z.boolean(),
  /** Token with which the engine reports what the statement took. Absent: no report. */
  token: z.string().optional(),
});
export type ClusterTarget = z.infer<typeof ClusterTarget>;

/**
 * POST /internal/cluster-statements/{id}/use → 204: what a statement took at the cluster, once it has ended.
 * Repeatable; the first report counts.
 */
export const ClusterUse = z.strictObject({
  bytesRead: z.number().int().nonnegative(),
  outcome: z.enum(["succeeded", "failed", "cancelled"]),
});
export type ClusterUse = z.infer<typeof ClusterUse>;

/** One of a lake's tables at a snapshot. `root` is the address that all of the lake's manifest lists begin with. */
const ComparedTable = z.strictObject({
  schema: z.string(),
  name: z.string(),
  snapshotId: z.string().regex(/^\d{1,19}$/),
  root: z.string().min(1),
});
export type ComparedTable = z.infer<typeof ComparedTable>;

/** POST /clusters/test. `table`: the table to compare; null where the lake has none. */
export const ClusterTest = z.strictObject({
  cluster: ClusterCredentials,
  table: ComparedTable.nullable(),
  deadlineMs: z.number().int().positive(),
});
export type ClusterTest = z.infer<typeof ClusterTest>;

/** The answer to a cluster that reads the lake. `nodes`: those that are active, as far as the cluster says it. */
export const ClusterReport = z.object({
  version: z.string(),
  tls: z.boolean(),
  nodes: z.number().int().nonnegative().nullable(),
  comparedTable: z.boolean(),
});
export type ClusterReport = z.infer<typeof ClusterReport>;
