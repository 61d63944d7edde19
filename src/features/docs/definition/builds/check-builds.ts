// Datasets that build tables are checked together, for flaws that the shape of each does not show. Pure.

import { RUN_TESTS_MAX } from "../../../../../kernel/wire/builds.ts";
import { isSureToWrite } from "../../../../../kernel/text/write-verbs.ts";
import { foldName } from "../../../../../kernel/text/fold-name.ts";
import type { Flaw } from "../../../../core/problem.ts";
import type { Dataset } from "../definition.ts";
import { targetOf } from "./materialize.ts";

const MEMBERS = ["materialize", "incremental", "tests"] as const;

export function checkBuilds(datasets: Record<string, Dataset>): Flaw[] {
  return [
    ...Object.entries(datasets).flatMap(([key, dataset]) => flawsOf(key, dataset)),
    ...findTwins(datasets),
    ...findCrowd(datasets),
  ];
}

/** A run takes no more tests than this in all. */
function findCrowd(datasets: Record<string, Dataset>): Flaw[] {
  const counts = Object.values(datasets).map((dataset) =>
    dataset.engine === "cube" ? 0 : (dataset.tests?.length ?? 0),
  );
  const count = counts.reduce((sum, each) => sum + each, 0);
  return count > RUN_TESTS_MAX
    ? [{ pointer: "/datasets", message: `The doc has ${count} tests; it may have ${RUN_TESTS_MAX}.` }]
    : [];
}

function flawsOf(key: string, dataset: Dataset): Flaw[] {
  const flaw = (member: string, message: string): Flaw => ({ pointer: `/datasets/${key}/${member}`, message });
  if (dataset.engine === "cube")
    return MEMBERS.filter((member) => Object.hasOwn(dataset, member)).map((member) =>
      flaw(member, "Datasets of SQL and Python build tables; those of the semantic layer do not."),
    );
  const { materialize, incremental, tests } = dataset;
  if (!materialize)
    return [
      ...(incremental ? [flaw("incremental", "Only a dataset with materialize is incremental.")] : []),
      ...(tests ? [flaw("tests", "Only a dataset with materialize has tests.")] : []),
    ];
  const followed = incremental && materialize.mode === "replace";
  return [
    ...(followed ? [flaw("incremental", "A table that is replaced is read in full: append to it, or merge.")] : []),
    ...(dataset.engine === "sql" ? flawsOfSql(dataset, flaw) : []),
    ...(dataset.engine === "python" && incremental
      ? [flaw("incremental", "Only SQL is incremental: it reads by $since.")]
      : []),
  ];
}

function flawsOfSql(
  { sql, parameters = {}, integrationId, incremental }: Extract<Dataset, { engine: "sql" }>,
  flaw: (member: string, message: string) => Flaw,
): Flaw[] {
  const namesSince = /\$since\b/.test(sql);
  return [
    ...(isSureToWrite(sql) ? [flaw("sql", "SQL that builds a table only reads: its rows are written.")] : []),
    ...(integrationId === undefined
      ? []
      : [flaw("integrationId", "SQL that builds a table runs on the team's lake: leave this out.")]),
    ...(incremental && !namesSince ? [flaw("sql", "An incremental dataset reads by $since, which this lacks.")] : []),
    ...(incremental && Object.hasOwn(parameters, "since")
      ? [flaw("parameters/since", "An incremental dataset's $since is the committed watermark.")]
      : []),
  ];
}

/** Two datasets of one table would each undo the other. */
function findTwins(datasets: Record<string, Dataset>): Flaw[] {
  const builders = new Map<string, string>();
  return Object.entries(datasets).flatMap(([key, dataset]): Flaw[] => {
    if (dataset.engine === "cube" || !dataset.materialize) return [];
    const { schema, name } = targetOf(dataset.materialize);
    const table = foldName(`${schema}.${name}`);
    const other = builders.get(table);
    builders.set(table, other ?? key);
    if (other === undefined) return [];
    return [{ pointer: `/datasets/${key}/materialize/table`, message: `The dataset ${other} builds this table, too.` }];
  });
}
