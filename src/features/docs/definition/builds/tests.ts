// The tests of a dataset that builds a table: what the table's rows must satisfy before any of them is published.

import { z } from "@hono/zod-openapi";
import { TEST_SEVERITIES, type TableTest, type TestOrder } from "../../../../../kernel/wire/builds.ts";
import { DOC_LIMITS } from "../../limits.ts";
import { SqlText } from "../../../../http/request/sql-text.ts";
import { BuiltTableName, ColumnName, Columns, targetOf } from "./materialize.ts";

const severity = { severity: z.enum(TEST_SEVERITIES).default("error") };
const count = z.number().int().min(0);

const values = z
  .array(z.union([z.string().max(4_096), z.number(), z.boolean()]))
  .min(1)
  .max(1_000)
  .openapi({ type: "array", items: { type: ["string", "number", "boolean"] } });

const NotNullTest = z
  .strictObject({ kind: z.literal("not_null"), columns: Columns, ...severity })
  .openapi("NotNullTest");
const UniqueTest = z.strictObject({ kind: z.literal("unique"), columns: Columns, ...severity }).openapi("UniqueTest");
const AcceptedValuesTest = z
  .strictObject({ kind: z.literal("accepted_values"), column: ColumnName, values, ...severity })
  .openapi("AcceptedValuesTest");
const RelationshipsTest = z
  .strictObject({
    kind: z.literal("relationships"),
    column: ColumnName,
    to: z.strictObject({ table: BuiltTableName, column: ColumnName }),
    ...severity,
  })
  .openapi("RelationshipsTest");
const RowCountTest = z
  .strictObject({ kind: z.literal("row_count"), min: count.optional(), max: count.optional(), ...severity })
  .refine(({ min, max }) => min !== undefined || max !== undefined, "Send min, max, or both.")
  .openapi("RowCountTest");
const SqlTest = z.strictObject({ kind: z.literal("sql"), sql: SqlText, ...severity }).openapi("SqlTest");

const DatasetTest = z
  .discriminatedUnion("kind", [NotNullTest, UniqueTest, AcceptedValuesTest, RelationshipsTest, RowCountTest, SqlTest])
  .openapi("DatasetTest", {
    description:
      "What the table must satisfy once it is built. Where a test of the severity `error` fails, no table of the run is " +
      "changed; `warn` is only told. `sql` is a SELECT that must answer no row.",
    example: { kind: "not_null", columns: ["id"], severity: "error" },
  });
export type DatasetTest = z.infer<typeof DatasetTest>;

export const TEST_MEMBERS = { tests: z.array(DatasetTest).min(1).max(DOC_LIMITS.datasetTestsMax).optional() };

/** The tests of a dataset as the engine takes them. */
export const ordersOf = (dataset: string, tests: readonly DatasetTest[]): TestOrder[] =>
  tests.map(({ severity, ...test }, index) => ({ dataset, index, severity, test: orderOf(test) }));

type Test = DatasetTest extends infer Each ? (Each extends DatasetTest ? Omit<Each, "severity"> : never) : never;

function orderOf(test: Test): TableTest {
  if (test.kind === "row_count") return { kind: test.kind, min: test.min ?? null, max: test.max ?? null };
  if (test.kind !== "relationships") return test;
  const { schema, name } = targetOf({ table: test.to.table, mode: "replace" });
  return { ...test, to: { schema, name, column: test.to.column } };
}
