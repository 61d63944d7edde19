// The smallest value a schema of the OpenAPI document takes: a body that reaches the operation itself.

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

/**
 * `schemas` are the document's components. Where no property is required the first is given, since empty changes are
 * refused.
 */
export function sampleOf(schema: Schema, schemas: Record<string, unknown>): unknown {
  const again = (inner: Schema) => sampleOf(inner, schemas);
  if (schema.$ref) return again(schemas[schema.$ref.split("/").at(-1)!] as Schema);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf ?? schema.oneOf) return again((schema.anyOf ?? schema.oneOf)![0]!);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(again));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string":
      return sampleText(schema);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => again(schema.items!));
    case "null":
      return null;
    default:
      return sampleObject(schema, again);
  }
}

function sampleText({ format, minLength = 1 }: Schema): string {
  if (format === "uuid") return crypto.randomUUID();
  if (format === "email") return "someone@example.com";
  if (format === "date-time") return "2999-01-01T00:00:00Z";
  return "x".repeat(minLength);
}

function sampleObject(
  { properties = {}, required = [] }: Schema,
  again: (schema: Schema) => unknown,
): Record<string, unknown> {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, again(properties[name]!)]));
}
