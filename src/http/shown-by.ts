// Rows name their columns in camel case, and the wire its fields in snake case. A value that is the same under both
// names is written once, in the schema of the wire.

import type { z } from "@hono/zod-openapi";

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;

/** Fields of the wire under the names of columns. */
type ColumnsOf<Fields> = { [Name in keyof Fields & string as Camel<Name>]: Fields[Name] };

const camelOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const columnsOf = <Fields extends object>(fields: Fields): ColumnsOf<Fields> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelOf(name), value])) as ColumnsOf<Fields>;

/** The names of a schema's fields, each with its column's: rows of a list are many, and schemas few. */
const namesOf = new WeakMap<z.ZodRawShape, readonly (readonly [field: string, column: string])[]>();

function namesIn(shape: z.ZodRawShape) {
  const names = namesOf.get(shape) ?? Object.keys(shape).map((field) => [field, camelOf(field)] as const);
  namesOf.set(shape, names);
  return names;
}

/** The fields of a schema, in its order: those of `own` as they are there, the others from the columns of the row. */
export function shownBy<
  Shape extends z.ZodRawShape,
  Own extends Partial<z.output<z.ZodObject<Shape>>> = Record<never, never>,
>(
  { shape }: { shape: Shape },
  row: ColumnsOf<Omit<z.output<z.ZodObject<Shape>>, keyof Own>>,
  own?: Own,
): z.output<z.ZodObject<Shape>> {
  const columns = row as Record<string, unknown>;
  const valueOf = (field: string, column: string): unknown =>
    own && Object.hasOwn(own, field) ? own[field as keyof Own] : columns[column];
  return Object.fromEntries(namesIn(shape).map(([field, column]) => [field, valueOf(field, column)])) as z.output<
    z.ZodObject<Shape>
  >;
}
