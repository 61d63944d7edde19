// The JSON Schema of an operation's input, out of the document: transports other than HTTP offer operations by it.

import type { Operation } from "../operation.ts";

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Described = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
};
/** The part of the OpenAPI document that is read here. */
export type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

const COMPONENT = "#/components/schemas/";

/**
 * What {@link Operation.call} takes, as one JSON Schema whole in itself: an object of `params`, `query` and `body`, as
 * far as the operation has them. The components that it names are under `$defs`.
 */
export function inputSchemaOf({ paths, components }: Document, { id }: Operation): Schema {
  const described = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  if (!described) throw new Error(`The document has no ${id}.`);
  const { parameters = [], requestBody } = described;
  const { "application/json": json, ...others } = requestBody?.content ?? {};
  const body = (json ?? Object.values(others)[0])?.schema;
  const parts: Record<string, Schema> = {
    ...partOf(
      "params",
      parameters.filter((parameter) => parameter.in === "path"),
    ),
    ...partOf(
      "query",
      parameters.filter((parameter) => parameter.in === "query"),
    ),
    ...(body && { body }),
  };
  const isRequired = (name: string): boolean =>
    name === "body" ? requestBody?.required === true : "required" in parts[name]!;
  const required = Object.keys(parts).filter(isRequired);
  const schema = {
    type: "object",
    properties: parts,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const names = componentsIn(schema, components.schemas);
  const local = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(`"${COMPONENT}`, '"#/$defs/'));
  const $defs = Object.fromEntries([...names].map((name) => [name, components.schemas[name]]));
  return local({ ...schema, ...(names.size > 0 && { $defs }) }) as Schema;
}

function partOf(name: string, parameters: Parameter[]): Record<string, Schema> {
  if (parameters.length === 0) return {};
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  );
  const part = { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
  return { [name]: part };
}

/** The names of the components that a schema refers to, and that those refer to. */
function componentsIn(schema: unknown, schemas: Record<string, Schema>, found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    componentsIn(schemas[name!], schemas, found);
  }
  return found;
}
