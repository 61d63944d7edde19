// A lake by the number of its files: what its catalog takes and reaches, and what a lake of a petabyte costs.

import { COMMIT_FILES_MAX } from "../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../../src/lake/format/limits.ts";
import { LAKE_LIMITS } from "../../src/features/lakes/limits.ts";
import { LIMITS, PRICES } from "./cloudflare.ts";
import { FILES, MEASURED, MEMORY } from "./measured.ts";
import { MONTH } from "./team.ts";
import { catalogBytes, catalogRows } from "./use.ts";

const GB = 1e9;

/** A limit, and with how many files it is reached: of one table, or of a whole lake. */
export type LakeReached = { limit: string; of: "a table" | "a lake"; files: number; then: string };

const filesOfObject = (columns: number): number => (LIMITS.objectGb.value * GB) / catalogBytes(1, columns);
const filesOfMemory = ({ files, mb }: { files: number; mb: number }): number => (LIMITS.objectMb.value / mb) * files;
const [cpuOfPlan] = MEASURED["plan by predicates on two columns"].oneTable;

export const LAKE_REACHED: readonly LakeReached[] = (
  [
    {
      limit: "files of one plan (`plannedFilesMax`)",
      of: "a table",
      files: LAKE_CATALOG_LIMITS.plannedFilesMax,
      then: "Statements on the table are refused, those too that read one file: an engine asks for the whole plan first.",
    },
    {
      limit: "memory of the object, for the answer of such a plan",
      of: "a table",
      files: filesOfMemory(MEMORY.wholePlan),
      then: "The object is ended in the middle of the plan, and begins anew.",
    },
    {
      limit: "memory of the object, for exact statistics of a column",
      of: "a table",
      files: filesOfMemory(MEMORY.statistics),
      then: "The step `statistics` of a full maintenance fails each time.",
    },
    {
      limit: "CPU of one call, for a plan by predicates on two columns",
      of: "a table",
      files: ((LIMITS.objectCpuSeconds.value * 1_000) / cpuOfPlan) * FILES,
      then: "Statements that leave files out by predicates fail, until `limits.cpu_ms` in `wrangler.toml` is raised.",
    },
    ...[10, 30].map((columns) => ({
      limit: `size of the object, with tables of ${columns} columns`,
      of: "a lake" as const,
      files: filesOfObject(columns),
      then: "Commits fail; what is there can be read.",
    })),
  ] satisfies LakeReached[]
).toSorted((left, right) => left.files - right.files);

/** A petabyte in files of 100 MB, with tables of 30 columns. */
export const PETABYTE = { gb: 1e6, files: 1e7, columns: 30 } as const;

/** A shard of a catalog is split well before its object is full. */
const FULL_SHARE = 0.7;
const OBJECTS_PER_LIST = 1_000;

export function petabyte() {
  const { gb, files, columns } = PETABYTE;
  const bytes = catalogBytes(files, columns);
  const lists = files / OBJECTS_PER_LIST;
  const commits = Math.ceil(files / COMMIT_FILES_MAX);
  const rowsWritten = catalogRows("written", { commits, files, columns });
  return {
    storageUsd: (gb - PRICES.bucketGb.included) * PRICES.bucketGb.usd,
    catalogGb: bytes / GB,
    catalogUsd: (bytes / GB) * PRICES.objectGb.usd,
    shards: Math.ceil(bytes / GB / (LIMITS.objectGb.value * FULL_SHARE)),
    /** Rows that committing all of it writes, once. */
    rowsWritten,
    rowsUsd: (rowsWritten / PRICES.objectRowsWritten.per) * PRICES.objectRowsWritten.usd,
    puts: files,
    putsUsd: (files / PRICES.classA.per) * PRICES.classA.usd,
    commits,
    /** The daily round lists every object, in messages of some lists each. */
    listsPerDay: lists,
    listsUsd: ((lists * MONTH.days) / PRICES.classA.per) * PRICES.classA.usd,
    messagesPerDay: Math.ceil(lists / LAKE_LIMITS.collectionStepsMax),
  };
}
