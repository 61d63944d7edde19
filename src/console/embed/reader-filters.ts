// A reader filters by the parameters that may be sent: each has a control, with the words of the doc's filter of its
// name where there is one. Pure.

import type { Filter } from "../../../kernel/docs/dashboard.ts";
import type { FilterValues } from "../ui/dashboard/filter-values.ts";
import type { Definition, Parameters } from "./ask.ts";

type Open = Definition["datasets"][string]["parameters"][string];

const TYPES: Readonly<Partial<Record<Open["type"], Filter["type"]>>> = {
  integer: "number",
  decimal: "number",
  number: "number",
  date: "date",
};

export function readerFilters({ filters, datasets }: Pick<Definition, "filters" | "datasets">): Filter[] {
  const open = new Map(Object.values(datasets).flatMap(({ parameters }) => Object.entries(parameters)));
  return [...open].map(([id, { type }]): Filter => {
    const own = filters.find((filter) => filter.id === id);
    return { type: TYPES[type], ...own, id, target: own?.target ?? { field: id } };
  });
}

/** What is sent for a dataset: values of its own open parameters that the reader has set. */
export function sentParameters({ parameters }: Definition["datasets"][string], values: FilterValues): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { list }]) => {
      const [first, ...rest] = values[name] ?? [];
      if (first === undefined) return [];
      return [[name, list ? [first, ...rest] : first]];
    }),
  );
}
