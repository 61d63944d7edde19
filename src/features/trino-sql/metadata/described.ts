// A lake as the tables of its metadata show it, and the form that these tables have.

import type { LakeDescription } from "../../../../kernel/lake/lake.ts";
import { BIGINT, BOOLEAN, VARCHAR, type Type } from "../trino-types.ts";
import { typeOfColumn } from "../lake-types.ts";
import type { Comments } from "./comments.ts";

export type Value = string | number | boolean | null;
export type Row = Record<string, Value>;
/** Columns are texts but where another type is said. */
export type Metadata = { columns: Record<string, Type>; hidden?: readonly string[]; rows: (of: Described) => Row[] };

/** `comments` are absent where nobody asks for them. */
export type Described = { catalog: string; catalogs: readonly string[]; lake: LakeDescription; comments?: Comments };

type SeenColumn = { name: string; type: Type; isNullable: boolean; comment: string | null };
export type SeenTable = { schema: string; name: string; comment: string | null; columns: SeenColumn[] };

/** Names in lower case, as Trino folds them, without the columns that have no type of its. */
const seenTables = ({ lake: { tables }, comments }: Described): SeenTable[] =>
  tables.map(({ tableId, schema, name, columns }) => ({
    schema: schema.toLowerCase(),
    name: name.toLowerCase(),
    comment: comments?.ofTables.get(tableId) ?? null,
    columns: columns.flatMap((column) => {
      const known = typeOfColumn(column);
      const comment = comments?.ofColumns.get(tableId)?.get(column.name) ?? null;
      const { name: spelled, nullable: isNullable } = column;
      return known ? [{ name: spelled.toLowerCase(), type: known.type, isNullable, comment }] : [];
    }),
  }));

export const INFORMATION_SCHEMA = "information_schema";

export const seenSchemas = ({ schemas }: LakeDescription): string[] =>
  [...schemas.map((schema) => schema.toLowerCase()), INFORMATION_SCHEMA].sort();

export const texts = (...names: string[]): Record<string, Type> =>
  Object.fromEntries(names.map((name) => [name, VARCHAR]));
export const numbers = (...names: string[]): Record<string, Type> =>
  Object.fromEntries(names.map((name) => [name, BIGINT]));
export const booleans = (...names: string[]): Record<string, Type> =>
  Object.fromEntries(names.map((name) => [name, BOOLEAN]));

export const eachTable = <Made>(of: Described, make: (table: SeenTable) => Made): Made[] => seenTables(of).map(make);
export const eachColumn = (
  of: Described,
  make: (table: SeenTable, column: SeenColumn, ordinal: number) => Row,
): Row[] => eachTable(of, (table) => table.columns.map((column, i) => make(table, column, i + 1))).flat();
