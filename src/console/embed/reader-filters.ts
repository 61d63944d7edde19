// A reader has a control for each filter of the dashboard that the token leaves open, and for each parameter that may
// be sent. Pure.

import type { Filter } from "../../../kernel/docs/dashboard.ts";
import { sentBy, type FilterValues } from "../ui/dashboard/filter-values.ts";
import type { Definition, Sent } from "./ask.ts";

type Open = Definition["datasets"][string]["parameters"][string];

const TYPES: Readonly<Partial<Record<Open["type"], Filter["type"]>>> = {
  integer: "number",
  decimal: "number",
  number: "number",
  date: "date",
};

/** No filter of a doc is called so. */
const controlOf = (parameter: string): string => `$${parameter}`;

export function readerFilters({ filters, datasets }: Pick<Definition, "filters" | "datasets">): Filter[] {
  const open = new Map(Object.values(datasets).flatMap(({ parameters }) => Object.entries(parameters)));
  const controls = [...open].map(
    ([name, { type }]): Filter => ({
      id: controlOf(name),
      label: name,
      type: TYPES[type] ?? "text",
      target: { field: name },
    }),
  );
  return [...filters, ...controls];
}

/** What is sent for a dataset: the filters, of which it takes its own, and its parameters that the reader has set. */
export function sentFor({ filters, datasets }: Definition, key: string, values: FilterValues): Sent {
  const parameters = Object.entries(datasets[key]?.parameters ?? {}).flatMap(([name, { list }]) => {
    const [first, ...rest] = values[controlOf(name)] ?? [];
    if (first === undefined) return [];
    return [[name, list ? [first, ...rest] : first] as const];
  });
  return { filters: sentBy(filters, values), parameters: Object.fromEntries(parameters) };
}
