// What a job can run is told apart by the records that the compiler completes, and nowhere else.

import { expect, it } from "vitest";
import { codeOf, findingsIn, WORKER_FILES } from "../support/node/tidy/source-tree.ts";

/** Files that are about one type by themselves, each with its reason. */
const OF_ONE_TYPE: Record<string, string> = {
  "src/features/automations/jobs/store.ts": "finds the one maintenance job of a kind that a lake may have",
  "src/features/automations/maintenance/store.ts": "reads maintenances, which nothing else is like",
  "src/features/lake-admin/maintenance/sync.ts": "compares a maintenance with its engine's job, and refuses the rest",
};

/** A type compared with one that is spelt out: in TypeScript, by a condition of drizzle's, or in SQL. */
const COMPARED = [
  /(?<!const )\bresource_?type\b\}?\s*(?:[!=]==?|<>|=|(?:not )?in \()\s*["']\w+/gi,
  /\b(?:eq|ne)\([\w.]*resourceType,\s*"\w+"/g,
  /\bcase "lake_integration_maintenance"/g,
];

const comparedIn = (file: string): string[] =>
  COMPARED.flatMap((pattern) => [...codeOf(file).matchAll(pattern)].map(([text]) => text));

it("tells what a job runs apart by records with a member for each type", () => {
  const files = WORKER_FILES.filter((file) => !(file in OF_ONE_TYPE));
  expect(findingsIn(files, comparedIn)).toEqual([]);
});

it("excuses no file that compares none", () =>
  expect(Object.keys(OF_ONE_TYPE).filter((file) => comparedIn(file).length === 0)).toEqual([]));
