// A run asks its datasets under the defaults of the doc's filters. Pure.

import type { RunDataset } from "../../../../kernel/wire/sandbox.ts";
import { datasetQuestion } from "../datasets/dataset-question.ts";
import type { Definition } from "../definition/definition.ts";
import { partParameters } from "./filter-parameter.ts";
import { filtersOf, requireRead } from "./filters-of.ts";
import { filtersTaken, narrowDataset } from "./narrow.ts";
import { readFilterValues } from "./read-values.ts";

/**
 * A table is built of all rows, and what it reads has them. Throws `validation_failed` for a default that its filter
 * can't have, and for a filter that is not understood.
 */
export function withDefaults(definition: Definition, orders: readonly RunDataset[], now: Date): RunDataset[] {
  const read = filtersOf(definition);
  const { filters, drawn } = read;
  const whole = readByBuilds(orders);
  return orders.map((planned) => {
    if ((planned.engine !== "sql" && planned.engine !== "cube") || planned.isStaged) return planned;
    const { key } = planned;
    if (!whole.has(key)) requireRead(read);
    const asked = datasetQuestion(definition.datasets[key]!);
    const taken = asked ? filtersTaken(asked, { key, filters, drawn }).map(({ filter }) => filter) : [];
    if (!asked || taken.length === 0) return planned;
    const pointer = "/filters";
    const values = whole.has(key) ? new Map() : readFilterValues(taken, { sent: {}, pointer }, now);
    const { question, fixed } = narrowDataset(asked, { key, filters: taken, drawn, values, pointer });
    if (planned.engine === "cube") return { ...planned, query: question.cube_query! };
    const bound = Object.entries(fixed).map(([name, value]) => {
      const { type } = question.parameters[name]!;
      return [name, type === "inferred" ? value : { type, value }] as const;
    });
    const parameters = { ...partParameters(planned.parameters).own, ...Object.fromEntries(bound) };
    return { ...planned, sql: question.sql!, parameters };
  });
}

/** What datasets that build tables read, whether they do or what they read does. */
function readByBuilds(orders: readonly RunDataset[]): ReadonlySet<string> {
  const read = new Set<string>();
  const addInputs = (order: RunDataset | undefined): void => {
    if (order?.engine !== "python") return;
    for (const { ref } of order.inputs) {
      if (read.has(ref)) continue;
      read.add(ref);
      addInputs(orders.find(({ key }) => key === ref));
    }
  };
  for (const order of orders) if (order.isStaged) addInputs(order);
  return read;
}
