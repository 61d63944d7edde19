// The OpenAPI document of a team's endpoints, for generators of clients.

import type { ParameterType } from "../../../kernel/wire/parameter-types.ts";
import type { Needs } from "../../clients/context.ts";
import { MEDIA_TYPES } from "../query/format.ts";
import type { ParameterDeclaration, ParameterDeclarations } from "../saved-queries/parameters/declaration.ts";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";
import { listPublications } from "../publications/list.ts";
import { pathOf, type PublicationRow } from "../publications/publication.ts";
import { questionOfEndpoint } from "./endpoint.ts";

/** OpenAPI 3.1, without what is asked. */
export async function describeEndpoints(ctx: Needs<"scope" | "db">): Promise<Record<string, unknown>> {
  const page = { limit: PUBLICATION_LIMITS.perTeamMax.endpoint, offset: 0 };
  const { items } = await listPublications(ctx, "endpoint", page);
  return {
    openapi: "3.1.0",
    info: { title: `Endpoints of ${ctx.scope.teamName}`, version: "1" },
    servers: [{ url: "/" }],
    security: [{ EndpointKey: [] }],
    paths: Object.fromEntries(items.map((row) => [pathOf(row), pathItemOf(row)])),
    components: {
      securitySchemes: {
        EndpointKey: {
          type: "http",
          scheme: "bearer",
          description: "A key of the endpoint, or a token signed for it.",
        },
      },
      schemas: { Result: RESULT, Failure: FAILURE },
    },
  };
}

const RESULT = {
  type: "object",
  required: ["success", "columns", "data"],
  properties: {
    success: { type: "boolean" },
    columns: { type: "array", items: { type: "string" } },
    data: { type: "array", items: { type: "object" } },
    rowCount: { type: "integer" },
    truncated: { type: "boolean" },
  },
};
const FAILURE = {
  type: "object",
  required: ["success", "message"],
  properties: { success: { const: false }, message: { type: "string" }, error: { type: "object" } },
};

const SCHEMAS: Record<ParameterType, object> = {
  text: { type: "string" },
  integer: { type: "integer", format: "int64" },
  decimal: { type: "string", pattern: "^-?[0-9]+([.][0-9]+)?$" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  timestamp: { type: "string", description: "A local time without a zone." },
  timestamptz: { type: "string", format: "date-time" },
};

function schemaOf({ type, list, nullable, allowed_values: allowed, default: preset }: ParameterDeclaration): object {
  const value = { ...SCHEMAS[type], ...(allowed && { enum: nullable ? [...allowed, null] : allowed }) };
  const one = nullable ? { ...value, type: [(SCHEMAS[type] as { type: string }).type, "null"] } : value;
  return { ...(list ? { type: "array", items: one } : one), ...(preset !== undefined && { default: preset }) };
}

const isRequired = ({ default: preset }: ParameterDeclaration): boolean => preset === undefined;

function pathItemOf(row: PublicationRow): object {
  const { parameters } = questionOfEndpoint(row);
  const common = {
    summary: row.name,
    ...(row.description !== null && { description: row.description }),
    responses: RESPONSES,
  };
  const names = Object.entries(parameters);
  const name = row.name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    get: {
      operationId: `get_${name}`,
      ...common,
      parameters: names.map(([parameter, declared]) => ({
        name: parameter,
        in: "query",
        required: isRequired(declared),
        ...(declared.description !== null && { description: declared.description }),
        schema: schemaOf(declared),
      })),
    },
    post: { operationId: `post_${name}`, ...common, requestBody: bodyOf(parameters) },
  };
}

function bodyOf(declared: ParameterDeclarations): object {
  const names = Object.entries(declared);
  const required = names.filter(([, each]) => isRequired(each)).map(([name]) => name);
  const parameters = {
    type: "object",
    properties: Object.fromEntries(names.map(([name, each]) => [name, schemaOf(each)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
  const schema = {
    type: "object",
    properties: { parameters },
    additionalProperties: false,
    ...(required.length > 0 && { required: ["parameters"] }),
  };
  return { required: required.length > 0, content: { "application/json": { schema } } };
}

const { json: JSON_TYPE, ...OTHER_TYPES } = MEDIA_TYPES;
const failed = (description: string) => ({
  description,
  content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Failure" } } },
});
const RESPONSES = {
  200: {
    description: "The result",
    content: {
      [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Result" } },
      ...Object.fromEntries(Object.values(OTHER_TYPES).map((type) => [type, {}])),
    },
  },
  304: { description: "The caller has the answer that `If-None-Match` names" },
  404: failed("No such endpoint, or it does not open"),
  422: failed("A parameter is missing, unknown or not valid"),
  429: failed("Too many calls in a minute"),
};
