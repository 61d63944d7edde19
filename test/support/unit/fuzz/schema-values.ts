// Values for a JSON schema of the document: ones that it allows, and ones that break it in one place.

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** Numbers in [0, 1), and what the schemas name by `$ref`. */
export type Generation = {
  random: () => number;
  components: Record<string, JsonSchema>;
  /** A value for a string that is an id. */
  anyId: () => string;
};

const DEPTH_MAX = 5;
/** Text that programs stumble over: quotes, wildcards, separators, controls, other scripts, halves of characters. */
const ODD_TEXTS = [
  "",
  " ",
  "a",
  "0",
  "-1",
  "null",
  "'",
  '"',
  "%",
  "_",
  "\\",
  "../..",
  "a/b",
  "\u0000",
  "\n",
  "\u202e",
  "é",
  "İ",
  "ß",
  "名前",
  "😀",
  "\ud800",
  "x".repeat(300),
  "名".repeat(200),
  "{{7*7}}",
  "$(id)",
  "1; DROP TABLE teams",
  "__proto__",
  "constructor",
  "2026-02-30",
  "99999999999999999999",
  "NaN",
];
const ODD_NUMBERS = [0, -0, 1, -1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21];

export const pick = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

/** A value that the schema allows as far as it says so; odd ones among them. */
export function valueOf(schema: JsonSchema, generation: Generation, depth = 0): unknown {
  const { random, components } = generation;
  if (schema.$ref) return valueOf(components[schema.$ref.split("/").at(-1)!] ?? {}, generation, depth + 1);
  if ("const" in schema) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const simple = depth < DEPTH_MAX ? variants : [variants[0]!];
    return valueOf(pick(random, simple), generation, depth + 1);
  }
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => valueOf(part, generation, depth + 1));
    return parts.every((part) => typeof part === "object") ? Object.assign({}, ...parts) : parts[0];
  }
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type;
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random() < 0.5;
    case "integer":
    case "number":
      return numberOf(schema, type, random);
    case "string":
      return textOf(schema, generation);
    case "array":
      return arrayOf(schema, generation, depth);
    case "object":
      return objectOf(schema, generation, depth);
    default:
      return anything(random);
  }
}

/** A value that is most likely not what the schema asks for: of another type, short of something, or with too much. */
export function brokenValueOf(schema: JsonSchema, generation: Generation): unknown {
  const { random } = generation;
  const value = valueOf(schema, generation);
  if (typeof value !== "object" || value === null || random() < 0.15) return anything(random);
  const keys = Object.keys(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  const change = random();
  if (change < 0.2) copy[pick(random, ["unknown", "__proto__x", "", "id", "team_id"])] = anything(random);
  else if (keys.length === 0) return anything(random);
  else if (change < 0.4) delete copy[pick(random, keys)];
  else copy[pick(random, keys)] = anything(random);
  return copy;
}

/** Any JSON. */
export function anything(random: () => number): unknown {
  return pick<() => unknown>(random, [
    () => null,
    () => random() < 0.5,
    () => pick(random, ODD_NUMBERS),
    () => pick(random, ODD_TEXTS),
    () => [],
    () => ({}),
    () => [pick(random, ODD_TEXTS), null, [[]]],
    // The validator can't name a place by half a character.
    () => ({ [pick(random, ODD_TEXTS).toWellFormed()]: pick(random, ODD_NUMBERS) }),
  ])();
}

function numberOf(schema: JsonSchema, type: string, random: () => number): number {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? 0;
  const max = schema.maximum ?? schema.exclusiveMaximum ?? min + 1_000;
  const number = pick(random, [min, max, min + random() * (max - min)]);
  return type === "integer" ? Math.round(number) : number;
}

function textOf({ format, pattern, minLength = 0, maxLength = 1_000 }: JsonSchema, generation: Generation): string {
  const { random, anyId } = generation;
  if (format === "uuid") return anyId();
  if (format === "date-time") return new Date(1.7e12 + random() * 1e11).toISOString();
  if (format === "email") return `${random().toString(36).slice(2)}@example.com`;
  if (format === "uri") return "https://example.com/hook";
  if (pattern !== undefined || random() < 0.3)
    return random() < 0.3 ? anyId() : `n${random().toString(36).slice(2, 8)}`;
  return pick(random, ODD_TEXTS).padEnd(minLength, "x").slice(0, maxLength);
}

function arrayOf({ items = {}, minItems = 0, maxItems = 3 }: JsonSchema, generation: Generation, depth: number) {
  const most = depth < DEPTH_MAX ? Math.min(maxItems, minItems + 2) : minItems;
  const length = minItems + Math.floor(generation.random() * (most - minItems + 1));
  return Array.from({ length }, () => valueOf(items, generation, depth + 1));
}

function objectOf(schema: JsonSchema, generation: Generation, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { random } = generation;
  const named = Object.entries(properties)
    .filter(([name]) => required.includes(name) || (depth < DEPTH_MAX && random() < 0.5))
    .map(([name, of]) => [name, valueOf(of, generation, depth + 1)] as const);
  const isOpen = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
  const more =
    isOpen && depth < DEPTH_MAX && random() < 0.5
      ? [[pick(random, ["KEY", "name", "é"]), valueOf(additionalProperties, generation, depth + 1)] as const]
      : [];
  return Object.fromEntries([...named, ...more]);
}
