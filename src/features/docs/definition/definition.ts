// The noun inside a doc: what it computes, dataset by dataset. The wire schema is the type.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { Parameters } from "../../../http/request/parameters.ts";
import { SqlText } from "../../../http/request/sql-text.ts";
import { DOC_KINDS } from "../../../platform/db/schema/schema.ts";
import { QUERY_KEYS } from "../../semantic/query/read-query.ts";

const DatasetKey = z
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

const Input = z.looseObject({ ref: z.string(), as: FrameName }).openapi("DatasetInput");

const Inputs = z
  .array(Input)
  .max(LIMITS.docInputsMax)
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
  .max(LIMITS.docRequirementsMax);

const timeoutMs = z
  .number()
  .int()
  .min(1)
  .max(LIMITS.datasetTimeoutMsMax)
  .openapi({
    description:
      `Of the code itself, in milliseconds. Python: ${LIMITS.datasetTimeoutMsDefault} when absent; SQL and Cube: ` +
      `${LIMITS.queryDeadlineMsDefault}.`,
  });

const common = {
  description: z.string().max(10_000).optional(),
  dependsOn: z.array(z.string()).max(LIMITS.docDatasetsMax).optional(),
  timeoutMs: timeoutMs.optional(),
};

const PythonDataset = z
  .looseObject({
    ...common,
    engine: z.literal("python"),
    code: z.string().min(1),
    inputs: Inputs.optional(),
    requirements: Requirements.optional(),
  })
  .openapi("PythonDataset");
const SqlDataset = z
  .looseObject({
    ...common,
    engine: z.literal("sql"),
    sql: SqlText,
    parameters: Parameters.optional(),
    integrationId: z.string().optional(),
  })
  .openapi("SqlDataset");
// The query's own members, measures and the like, are checked when it is asked: the model may be another by then.
const CubeDataset = z
  .looseObject({
    ...common,
    engine: z.literal("cube"),
    cube: z.string().optional(),
    integrationId: z.string().optional(),
  })
  .openapi("CubeDataset");

export const Dataset = z.discriminatedUnion("engine", [PythonDataset, SqlDataset, CubeDataset]).openapi("Dataset");
export type Dataset = z.infer<typeof Dataset>;

const Metadata = z.looseObject({
  name: z.string().trim().min(1).max(LIMITS.nameCharactersMax),
  description: z.string().max(10_000).optional(),
});

/** Members beside these are kept as given; of those that nothing reads, {@link findUnknownMembers} reports. */
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

/** Members of dashboards that are kept for whoever reads the doc, and that nothing here acts on. */
const KEPT_ONLY: Record<"layout" | "tiles" | "automations", string> = {
  layout: "Nothing here draws it.",
  tiles: "Nothing here draws them.",
  automations: "Nothing runs by them: make a job of the doc, `POST /v4/automations/jobs`, to run it on a schedule.",
};

/** Why members that a definition has are kept and not acted on, by their JSON pointers. */
export const findKeptOnly = (definition: Definition): { pointer: string; message: string }[] =>
  Object.entries(KEPT_ONLY).flatMap(([name, message]) =>
    Object.hasOwn(definition, name) ? [{ pointer: `/${name}`, message: `It is kept as it is. ${message}` }] : [],
  );

/** Members that no schema here knows, as JSON pointers: nothing will read them, which may be a slip of the pen. */
export function findUnknownMembers(definition: Definition): string[] {
  const unknown = (value: object, known: readonly string[], at: string): string[] =>
    Object.keys(value).flatMap((name) =>
      known.includes(name) ? [] : [`${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`],
    );
  const { metadata, datasets } = definition;
  const ofDatasets = Object.entries(datasets).flatMap(([key, dataset]) => {
    const at = `/datasets/${key}`;
    if (dataset.engine === "cube") return unknown(dataset, [...Object.keys(CubeDataset.shape), ...QUERY_KEYS], at);
    if (dataset.engine === "sql") return unknown(dataset, Object.keys(SqlDataset.shape), at);
    const ofInputs = (dataset.inputs ?? []).flatMap((input, index) =>
      unknown(input, Object.keys(Input.shape), `${at}/inputs/${index}`),
    );
    return [...unknown(dataset, Object.keys(PythonDataset.shape), at), ...ofInputs];
  });
  return [
    ...unknown(definition, [...Object.keys(Definition.shape), ...Object.keys(KEPT_ONLY)], ""),
    ...unknown(metadata, Object.keys(Metadata.shape), "/metadata"),
    ...ofDatasets,
  ];
}

/** Everything a dataset waits for, each once: what it names, and what it reads. */
export function needsOf(dataset: Dataset): string[] {
  const read = dataset.engine === "python" ? (dataset.inputs ?? []).map(({ ref }) => ref) : [];
  return [...new Set([...(dataset.dependsOn ?? []), ...read])];
}
