// The public form of what one run made of one table: what it was read from, and how its tests went.

import { z } from "@hono/zod-openapi";
import { BUILD_MODES, SAMPLE, TEST_SEVERITIES, TEST_STATES } from "../../../../kernel/wire/builds.ts";
import { orNull } from "../../../http/answer.ts";

export const TableRef = z.object({ schema: z.string(), name: z.string() }).openapi("TableRef");

const Sample = z
  .object({ columns: z.array(z.string()), rows: z.array(z.array(z.string().nullable())) })
  .openapi("TestSample", {
    description: `At most ${SAMPLE.rowsMax} of the rows that fail the test, and ${SAMPLE.columnsMax} columns, as text.`,
  });

const RunTest = z
  .object({
    name: z.string().openapi({ description: "Its kind and columns." }),
    severity: z.enum(TEST_SEVERITIES),
    state: z
      .enum([...TEST_STATES, "unknown"])
      .openapi({
        description:
          "`broken`: it could not be run, which counts as failed. `unknown`: the tables are published, and how a test " +
          "of the severity `warn` went was lost.",
      }),
    rows: z.number().int().nullable().openapi({ description: "How many rows, or groups of equal ones, fail it." }),
    error: z.string().nullable(),
    sample: orNull(Sample).openapi({ description: "Null too where the run's output is not yours to read." }),
  })
  .openapi("RunTest");

export const RunTable = z
  .object({
    dataset_key: z.string(),
    execution_id: z.uuid(),
    schema: z.string(),
    name: z.string(),
    mode: z.enum(BUILD_MODES),
    is_published: z
      .boolean()
      .openapi({ description: "False while the run goes on, and where the table stays as it was." }),
    rows: z.number().int().nullable().openapi({ description: "The rows that were written; null before they are." }),
    sources: z.array(TableRef).openapi({ description: "The tables that its rows were read from." }),
    tests: z.array(RunTest).openapi({ description: "Empty until they have run." }),
  })
  .openapi("RunTable");
export type RunTable = z.infer<typeof RunTable>;
export type RunTest = z.infer<typeof RunTest>;
