// The noun: what a statement on the lake will read of its tables, before it runs. Pure.

import { z } from "@hono/zod-openapi";
import type { ReadEstimate, ReadFigures } from "../../../../kernel/wire/engine.ts";
import type { Problem } from "../../../core/problem.ts";
import { orNull } from "../../../http/answer.ts";
import { FlawDocument } from "../../../http/failures.ts";

const Figures = z
  .object({
    files: z.number().int().openapi({ description: "The data files that are left once the catalog has pruned." }),
    filesTotal: z.number().int(),
    bytes: z
      .number()
      .int()
      .openapi({
        description:
          "At most: of the columns that are read in these files, with the delete files. Row groups that statistics rule " +
          "out, and what is on the engine's disk already, come off.",
      }),
    bytesTotal: z.number().int(),
  })
  .openapi("ReadFigures");

const Refusal = z.object({ message: z.string(), flaws: z.array(FlawDocument) }).openapi("EstimateRefusal");

const EstimatedTable = z
  .object({
    schema: z.string(),
    name: z.string(),
    at: z.string().nullable().openapi({ description: "The snapshot, as the statement's `AT` names it." }),
    figures: orNull(Figures).openapi({
      description: "Null of a table of which you see some rows or cells: its files would tell of the rest.",
    }),
  })
  .openapi("EstimatedTable");

export const QueryEstimate = z
  .object({
    success: z.literal(true),
    tables: z.array(EstimatedTable).openapi({ description: "Each table, and each snapshot of one, once." }),
    total: Figures.openapi({ description: "Of the tables with figures." }),
    readsDrive: z.boolean().openapi({ description: "Whether files of the drive are read besides." }),
    writes: z
      .boolean()
      .openapi({ description: "Whether the statement writes: then nothing is told of what it reads." }),
    refusal: orNull(Refusal).openapi({
      description: "Why the statement would be refused before it runs, where it would; null else.",
    }),
  })
  .openapi("QueryEstimate", {
    example: {
      success: true,
      tables: [
        {
          schema: "sample",
          name: "orders",
          at: null,
          figures: { files: 12, filesTotal: 480, bytes: 34_000_000, bytesTotal: 5_100_000_000 },
        },
      ],
      total: { files: 12, filesTotal: 480, bytes: 34_000_000, bytesTotal: 5_100_000_000 },
      readsDrive: false,
      writes: false,
      refusal: null,
    },
  });
export type QueryEstimate = Omit<z.infer<typeof QueryEstimate>, "success">;

const NOTHING: ReadFigures = { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0 };

/** The estimate of a statement that would fail before it runs. */
export const refusedWith = ({ message, flaws }: Problem): QueryEstimate => ({
  tables: [],
  total: NOTHING,
  readsDrive: false,
  writes: false,
  refusal: { message, flaws },
});

export const withTotal = (estimate: ReadEstimate): QueryEstimate => ({
  ...estimate,
  refusal: null,
  total: estimate.tables.reduce((sum, { figures }) => (figures ? plus(sum, figures) : sum), NOTHING),
});

const plus = (one: ReadFigures, other: ReadFigures): ReadFigures => ({
  files: one.files + other.files,
  filesTotal: one.filesTotal + other.filesTotal,
  bytes: one.bytes + other.bytes,
  bytesTotal: one.bytesTotal + other.bytesTotal,
});
