// The rows that answer a statement of the engine's own: held to the format it asks for, or to the columns it names.

import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { SnowflakeResult } from "./open-result.ts";

/** An empty format wants no rows. */
export async function fetchAll(result: SnowflakeResult, format: RowFormat): Promise<TextRow[]> {
  if (format === "") return [];
  return collect(
    result,
    Array.from(format, (_, i) => i),
    format,
  );
}

/** Fetches the named columns of SHOW's answer, whose columns come in no promised order, and more of them with time. */
export function fetchNamed(result: SnowflakeResult, names: readonly string[]): Promise<TextRow[]> {
  const at = names.map((name) => result.columns.findIndex((column) => column.name === name));
  if (at.includes(-1)) protocolViolation("a list has not the columns that it has by the manual");
  return collect(result, at, "T".repeat(names.length));
}

async function collect(result: SnowflakeResult, at: readonly number[], format: RowFormat): Promise<TextRow[]> {
  const collector = new RowCollector(format, protocolViolation);
  await result.rows(({ bytes, starts, ends }) => {
    const text = bytes as Buffer;
    collector.add(at.map((i) => (ends[i]! < 0 ? null : text.toString("utf8", starts[i], ends[i]))));
    return true;
  });
  return collector.rows;
}
