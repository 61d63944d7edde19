// A user's statement at PostgreSQL, in the extended protocol: prepared first, which gives its columns, then run.

import type { Column } from "../../../formats/result.ts";
import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import type { TakeRow } from "../../connector.ts";
import { fetchRows } from "../connection/fetch-rows.ts";
import { protocolViolation, readFields, type Field } from "../connection/messages.ts";
import {
  COMMAND_COMPLETE,
  EMPTY,
  EXTENDED,
  message,
  ROW,
  ROW_DESCRIPTION,
  SIMPLE,
  type OnMessage,
  type Wire,
} from "../connection/wire.ts";
import { catalogKey, type CatalogType, type ColumnTypes, type Shape } from "./column-types.ts";
import { createRowReader } from "./row-reader.ts";

/** The name of the prepared statement at the server. */
const NAME = "fjord";
/** The count of formats: none given, so that everything is text. */
const ALL_TEXT = Buffer.alloc(2);
/** The count of types of parameters: none given, so that the server finds each by its place. */
const NO_TYPES = Buffer.alloc(2);
const ALL_ROWS = Buffer.alloc(4);

export type PreparableStatement = { sql: string; values: readonly BoundValue[] };

export type PreparedStatement = {
  columns: Column[];
  /** The columns as the server describes them. */
  fields: readonly Field[];
  /** Feeds the rows to `take`. Rejects as {@link Wire.exchange} does, or with what `take` threw. */
  run(take: TakeRow): Promise<void>;
};

/** Opens the transaction by `opening` and has the server parse `sql`, which runs nothing yet. */
export async function prepareStatement(
  wire: Wire,
  opening: string,
  { sql, values }: PreparableStatement,
  types: ColumnTypes,
): Promise<PreparedStatement> {
  const fields = await describe(wire, opening, sql);
  const { columns, shapes } = types.toColumns(fields, await lookUpTypes(wire, types.catalogQuery(fields)));
  return { columns, fields, run: (take) => run(wire, { shapes, values }, take) };
}

/** All in one message: a round trip less. */
async function describe(wire: Wire, opening: string, sql: string): Promise<Field[]> {
  const messages = Buffer.concat([
    message("Q", opening),
    // Closes an earlier statement of the session; it is no error where there is none.
    message("C", Buffer.from("S"), NAME),
    message("P", NAME, sql, NO_TYPES),
    message("D", Buffer.from("S"), NAME),
    message("S"),
  ]);
  await wire.exchange(messages, SIMPLE, () => undefined);
  let fields: Field[] | undefined;
  await wire.exchange(undefined, EXTENDED, (type, bytes, from, to) => {
    if (type !== ROW_DESCRIPTION) return;
    if (fields) protocolViolation("a statement is described twice");
    fields = readFields(bytes, from, to);
  });
  return fields ?? [];
}

/** Asks the catalog about the types that are not the server's own. */
async function lookUpTypes(wire: Wire, query: string | undefined): Promise<Map<string, CatalogType>> {
  if (query === undefined) return new Map();
  const rows = await fetchRows(wire, query, "nntnt");
  return new Map(
    rows.map(([oid, typmod, name, elementOid, delimiter]) => [
      catalogKey({ oid: Number(oid), typmod: Number(typmod) }),
      { name: name!, elementOid: Number(elementOid), elementDelimiter: delimiter!.charCodeAt(0) },
    ]),
  );
}

type Run = { shapes: Shape[]; values: readonly BoundValue[] };

async function run(wire: Wire, { shapes, values }: Run, take: TakeRow): Promise<void> {
  const read = createRowReader(shapes);
  let isComplete = false;
  const onMessage: OnMessage = (type, bytes, from, to) => {
    if (isComplete) protocolViolation("the result goes on after its end");
    if (type === ROW) return take(read(bytes, from, to));
    isComplete = type === COMMAND_COMPLETE || type === EMPTY;
    return undefined;
  };
  const bind = message("B", "", NAME, ALL_TEXT, ...bindings(values), formatsOf(shapes));
  const messages = Buffer.concat([bind, message("E", "", ALL_ROWS), message("S")]);
  const isWhole = await wire.exchange(messages, EXTENDED, onMessage);
  if (isWhole && !isComplete) protocolViolation("a result has no end");
}

/** For each column, whether its values are to come as bytes; all as text where none are. */
function formatsOf(shapes: readonly Shape[]): Buffer {
  const isBinary = ({ form }: Shape): boolean => form === "float4" || form === "float8";
  if (!shapes.some(isBinary)) return ALL_TEXT;
  const formats = Buffer.alloc(2 + shapes.length * 2);
  formats.writeUInt16BE(shapes.length);
  shapes.forEach((shape, i) => formats.writeUInt16BE(isBinary(shape) ? 1 : 0, 2 + i * 2));
  return formats;
}

/** How many values there are, and each as its length and its text. */
function bindings(values: readonly BoundValue[]): Buffer[] {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  return [count, ...values.flatMap(bindingOf)];
}

function bindingOf(value: BoundValue): Buffer[] {
  const text = value === null ? undefined : Buffer.from(String(value));
  const length = Buffer.alloc(4);
  length.writeInt32BE(text?.length ?? -1);
  return text ? [length, text] : [length];
}
