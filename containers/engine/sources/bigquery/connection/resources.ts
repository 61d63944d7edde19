// The REST API's resources, as far as the engine reads them; what it does not read is not looked at.

import { z } from "zod";
import { ErrorProto } from "./errors.ts";

/** A column of a result, or a field of a STRUCT. */
export type Field = {
  name: string;
  /** `INTEGER`, `FLOAT`, `RECORD` … or their names in SQL. */
  type: string;
  mode?: string | undefined;
  fields?: Field[] | undefined;
  precision?: string | undefined;
  scale?: string | undefined;
  maxLength?: string | undefined;
  description?: string | undefined;
  /** Digits after the point of a TIMESTAMP's seconds; absent: 6. */
  timestampPrecision?: string | undefined;
  rangeElementType?: { type: string } | undefined;
};

const Digits = z.string().regex(/^\d{1,19}$/);

const Field: z.ZodType<Field> = z.lazy(() =>
  z.object({
    name: z.string().max(300),
    type: z.string().max(64),
    mode: z.string().optional(),
    fields: z.array(Field).max(10_000).optional(),
    precision: Digits.optional(),
    scale: Digits.optional(),
    maxLength: Digits.optional(),
    description: z.string().optional(),
    timestampPrecision: z.union([z.string(), z.number().transform(String)]).optional(),
    rangeElementType: z.object({ type: z.string() }).optional(),
  }),
);

export const Schema = z.object({ fields: z.array(Field).max(10_000).optional() });

export const TableReference = z.object({ projectId: z.string(), datasetId: z.string(), tableId: z.string() });
export type TableReference = z.infer<typeof TableReference>;

const JobReference = z.object({ projectId: z.string(), jobId: z.string().optional(), location: z.string().optional() });

export const Job = z.object({
  jobReference: JobReference,
  status: z.object({ state: z.enum(["PENDING", "RUNNING", "DONE"]), errorResult: ErrorProto.optional() }),
});

/** The gate reads what the job's statistics say about the statement. */
export const DryRunJob = Job.extend({
  jobReference: z.object({ location: z.string().optional() }).catch({}),
  statistics: z.looseObject({ query: z.looseObject({ schema: Schema.optional() }) }),
});

/** A page of a query's rows; the rows themselves are looked at one by one. */
export const ResultsPage = z.object({
  jobReference: JobReference,
  jobComplete: z.boolean(),
  schema: Schema.optional(),
  totalRows: Digits.optional(),
  pageToken: z.string().min(1).max(8_192).optional(),
  rows: z.custom<unknown[]>((value) => Array.isArray(value)).optional(),
  errors: z.array(ErrorProto).optional(),
});
export type ResultsPage = z.infer<typeof ResultsPage>;

export const CancelAnswer = z.object({ job: z.object({ jobReference: JobReference }).optional() });

const NextPage = { nextPageToken: z.string().min(1).max(8_192).optional() };

export const DatasetList = z.object({
  ...NextPage,
  datasets: z
    .array(z.object({ datasetReference: z.object({ datasetId: z.string() }), location: z.string().optional() }))
    .optional(),
});

export const TableList = z.object({
  ...NextPage,
  tables: z.array(z.object({ tableReference: TableReference, type: z.string().catch("TABLE") })).optional(),
});

/** A table, view, materialized view, snapshot or external table. */
export const Table = z.object({
  tableReference: TableReference,
  type: z.string().catch("TABLE"),
  description: z.string().optional(),
  schema: Schema.optional(),
  numRows: Digits.optional(),
  numBytes: Digits.optional(),
  location: z.string().optional(),
  creationTime: Digits.optional(),
  timePartitioning: z.object({ field: z.string().optional() }).optional(),
  rangePartitioning: z.object({ field: z.string().optional() }).optional(),
  /** The flag of a table that may only be queried with a condition on its partitions. */
  requirePartitionFilter: z.boolean().optional(),
  /** Declared, and not enforced by the service. */
  tableConstraints: z
    .object({
      primaryKey: z.object({ columns: z.array(z.string()) }).optional(),
      foreignKeys: z
        .array(
          z.object({
            referencedTable: TableReference,
            columnReferences: z.array(z.object({ referencingColumn: z.string(), referencedColumn: z.string() })),
          }),
        )
        .optional(),
    })
    .optional(),
});
export type Table = z.infer<typeof Table>;

export const Permissions = z.object({ permissions: z.array(z.string()).optional() });
