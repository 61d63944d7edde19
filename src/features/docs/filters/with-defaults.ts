// A run asks its datasets under the defaults of the doc's filters. Pure.

import type { RunDataset } from "../../../../kernel/wire/sandbox.ts";
import { askedDataset } from "../datasets/asked-dataset.ts";
import type { Definition } from "../definition/definition.ts";
import { partParameters } from "./filter-parameter.ts";
import { filtersOf } from "./filters-of.ts";
import { filtersTaken, narrowDataset } from "./narrow.ts";
import { readFilterValues } from "./read-values.ts";

/** A table is built of all rows. Throws `validation_failed` for a default that its filter can't have. */
export function withDefaults(definition: Definition, now: Date): (planned: RunDataset) => RunDataset {
  const { filters, drawn } = filtersOf(definition);
  return (planned) => {
    if ((planned.engine !== "sql" && planned.engine !== "cube") || planned.isStaged) return planned;
    const { key } = planned;
    const asked = askedDataset(definition.datasets[key]!);
    const taken = asked ? filtersTaken(asked, { key, filters, drawn }).map(({ filter }) => filter) : [];
    if (!asked || taken.length === 0) return planned;
    const pointer = "/filters";
    const values = readFilterValues(taken, { sent: {}, pointer }, now);
    const { question, fixed } = narrowDataset(asked, { key, filters: taken, drawn, values, pointer });
    if (planned.engine === "cube") return { ...planned, query: question.cube_query! };
    const bound = Object.entries(fixed).map(([name, value]) => {
      const { type } = question.parameters[name]!;
      return [name, type === "inferred" ? value : { type, value }] as const;
    });
    const parameters = { ...partParameters(planned.parameters).own, ...Object.fromEntries(bound) };
    return { ...planned, sql: question.sql!, parameters };
  };
}
