// A list as a command prints it: as a table of some fields, or as JSON with all of them.

import type { Context } from "../context.ts";
import { formatTable } from "./table.ts";
import { printJson, say, writeData } from "./terminal.ts";

export type Fields<Item> = Readonly<Record<string, (item: Item) => unknown>>;

const isNumber = (value: unknown): boolean => typeof value === "number";

export async function printList<Item>(
  { options }: Context,
  items: readonly Item[],
  fields: Fields<Item>,
): Promise<void> {
  if (options.json) return printJson(items);
  if (items.length === 0) return say("There are none.");
  const columns = Object.keys(fields).map((title) => {
    const values = items.map((item) => fields[title]!(item));
    return { title, isNumber: values.some(isNumber) && values.every((value) => isNumber(value) || value === null) };
  });
  const rows = items.map((item) => Object.values(fields).map((field) => field(item) ?? "–"));
  await writeData(formatTable(columns, rows));
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
