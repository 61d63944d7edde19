// The noun inside a doc: what it computes, dataset by dataset. The wire schema is the type.

import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../limits.ts";
import { LIMITS } from "../../../core/limits.ts";
import { SqlText } from "../../../http/request/sql-text.ts";
import { DOC_KINDS } from "../../../platform/db/schema/schema.ts";
import { DatasetParameters } from "../filters/filter-parameter.ts";
import { BUILD_MEMBERS } from "./builds/materialize.ts";
import { TEST_MEMBERS } from "./builds/tests.ts";

export const DatasetKey = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/, "A dataset's key has letters, digits, _ and -, at most 100.");

const PYTHON_WORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from global " +
  "if import in is lambda nonlocal not or pass raise return try while with yield";
const TAKEN = new Set([...PYTHON_WORDS.split(" "), "result"]);

/** `result` is where the dataset's own output goes. */
const FrameName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "Send a Python name: letters, digits and _, not beginning with a digit.")
  .refine((name) => !TAKEN.has(name), "This name is Python's own, or the output's.")
  .refine((name) => !name.startsWith("__"), "Names that begin with __ are Python's own.");

export const Input = z.looseObject({ ref: z.string(), as: FrameName }).openapi("DatasetInput");

export const inputsOf = <Each extends z.ZodType<z.infer<typeof Input>>>(each: Each) =>
  z
    .array(each)
    .max(DOC_LIMITS.inputsMax)
    .superRefine((inputs, context) => {
      const names = new Set<string>();
      inputs.forEach(({ as }, index) => {
        if (names.has(as))
          context.addIssue({ code: "custom", path: [index, "as"], message: `Two inputs are called ${as}.` });
        names.add(as);
      });
    });

/** Exact pins only: what ran yesterday runs today. */
const Requirements = z
  .array(
    z
      .string()
      .regex(
        /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._,-]+\])?==[A-Za-z0-9][A-Za-z0-9.!+_-]*$/,
        "Pin one version: name==1.2.3.",
      ),
  )
  .max(DOC_LIMITS.requirementsMax);

const timeoutMs = z
  .number()
  .int()
  .min(1)
  .max(DOC_LIMITS.datasetTimeoutMsMax)
  .openapi({
    description:
      `Of the code itself, in milliseconds. Python: ${DOC_LIMITS.datasetTimeoutMsDefault} when absent; SQL and Cube: ` +
      `${LIMITS.queryDeadlineMsDefault}.`,
  });

const common = {
  description: z.string().max(10_000).optional(),
  dependsOn: z.array(z.string()).max(DOC_LIMITS.datasetsMax).optional(),
  timeoutMs: timeoutMs.optional(),
};

export const PythonDataset = z
  .looseObject({
    ...common,
    engine: z.literal("python"),
    code: z.string().min(1),
    inputs: inputsOf(Input).optional(),
    requirements: Requirements.optional(),
    ...BUILD_MEMBERS,
    ...TEST_MEMBERS,
  })
  .openapi("PythonDataset");
export const SqlDataset = z
  .looseObject({
    ...common,
    engine: z.literal("sql"),
    sql: SqlText,
    parameters: DatasetParameters.optional(),
    integrationId: z.string().optional(),
    ...BUILD_MEMBERS,
    ...TEST_MEMBERS,
  })
  .openapi("SqlDataset");
// The query's own members, measures and the like, are checked when it is asked: the model may be another by then.
export const CubeDataset = z
  .looseObject({
    ...common,
    engine: z.literal("cube"),
    cube: z.string().optional(),
    integrationId: z.string().optional(),
  })
  .openapi("CubeDataset");

export const Dataset = z.discriminatedUnion("engine", [PythonDataset, SqlDataset, CubeDataset]).openapi("Dataset");
export type Dataset = z.infer<typeof Dataset>;

export const Metadata = z.looseObject({
  name: z.string().trim().min(1).max(LIMITS.nameCharactersMax),
  description: z.string().max(10_000).optional(),
});

/**
 * What a run needs of a definition, which any text that was ever saved has. Members beside these are kept as given:
 * `grammar.ts` knows them, and reports the rest.
 */
export const Definition = z.looseObject({
  version: z.number().int().min(1),
  schemaVersion: z
    .string()
    .regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, "Send a year and month such as 2025-01.")
    .optional(),
  kind: z.enum(DOC_KINDS),
  metadata: Metadata,
  requirements: Requirements.optional(),
  datasets: z.record(DatasetKey, Dataset).default({}),
});
export type Definition = z.infer<typeof Definition>;

/** Everything a dataset waits for, each once: what it names, and what it reads. */
export function needsOf(dataset: Dataset): string[] {
  const read = dataset.engine === "python" ? (dataset.inputs ?? []).map(({ ref }) => ref) : [];
  return [...new Set([...(dataset.dependsOn ?? []), ...read])];
}
