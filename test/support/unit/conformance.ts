// An answer is checked to be one that its operation declares: status, content type and schema.

import { Validator, type Schema } from "@cfworker/json-schema";
import { exports } from "cloudflare:workers";

export type Operation = {
  method: string;
  /** The path as in the document: `/v4/users/{user_id}`. */
  path: string;
  operationId: string;
  isPublic: boolean;
  permission: string;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

type Document = {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; security?: unknown[]; "x-permission": string; responses: Operation["responses"] }
    >
  >;
  components: { schemas: Record<string, Schema> };
  tags: { name: string }[];
};

let reading: Promise<Document> | undefined;
let listing: Promise<Operation[]> | undefined;
/** By the schema's text. Each holds an index of the components that its schema names. */
const validators = new Map<string, Validator>();
const patterns = new Map<string, RegExp>();

/** The document as the Worker serves it, read once per workerd: it is the same for every file. */
export const readDocument = (): Promise<Document> =>
  (reading ??= exports.default.fetch("https://fjord.test/openapi.json").then((response) => response.json<Document>()));

export const listOperations = (): Promise<Operation[]> => (listing ??= readDocument().then(operationsOf));

const operationsOf = ({ paths }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, "x-permission": permission, responses }]) => ({
      method: method.toUpperCase(),
      path,
      operationId,
      isPublic: security?.length === 0,
      permission,
      responses,
    })),
  );

/** Paths the document leaves out: itself, its page, and what only containers call. */
const UNLISTED = /^\/(openapi\.json|docs|internal)(\/|$)/;

/** Below it every answer has the form of Cube's REST API. */
export const isCubes = (path: string): boolean => path.startsWith("/cubejs-api/");

/** What a team has published: it is opened by keys and tokens of its own. */
export const isPublished = (path: string): boolean => /^\/v1\/(endpoints|dashboards)\//.test(path);

/** Below it every answer has the form of Iceberg's REST catalog. */
export const isIcebergs = (path: string): boolean => path.startsWith("/iceberg/");

/** The status for a method that a path does not have. The Iceberg catalog refuses writes, and says where to write. */
export const methodRefusalOf = (path: string, method: string): 405 | 406 =>
  isIcebergs(path) && !["GET", "HEAD", "OPTIONS"].includes(method) ? 406 : 405;

/** The words of a failure, wherever its part of the API has them. */
// biome-ignore lint/suspicious/noExplicitAny: a body is untyped, as in `http.ts`
export const messageIn = (path: string, body: any): string =>
  isCubes(path) ? body.error : isIcebergs(path) ? body.error.message : body.message;

/** Where all that is invalid is 400, and a missing key 403. */
export const hasOldStatuses = (path: string): boolean => path.startsWith("/v3/") || isCubes(path);

/** The parts of the API that spell their failures in their own way. */
const FAILURES: [isOf: (path: string) => boolean, schema: string][] = [
  [isCubes, "CubeFailure"],
  [isIcebergs, "IcebergFailure"],
  [(path) => path === "/mcp", "McpFailure"],
  [(path) => path.startsWith("/oauth/") || path.startsWith("/.well-known/"), "OAuthFailure"],
];

/** The schema of an operation's failures. */
export const failureSchemaOf = (path: string): Schema => ({
  $ref: `#/components/schemas/${FAILURES.find(([isOf]) => isOf(path))?.[1] ?? "Failure"}`,
});

/** What is wrong with an answer, in words; empty when it is as documented. */
export async function nonconformities(
  method: string,
  path: string,
  answer: { status: number; type: string; body: unknown },
): Promise<string[]> {
  const [pathname = ""] = path.split("?");
  if (UNLISTED.test(pathname)) return [];
  const at = `${method} ${pathname} ${answer.status}`;
  const matching = (await listOperations()).filter((operation) => matches(operation.path, pathname));
  // A path with a word is meant before one with a parameter in its place, whatever its methods.
  const fewest = Math.min(...matching.map((operation) => wildcards(operation.path)));
  const operations = matching.filter((operation) => wildcards(operation.path) === fewest);
  const operation = operations.find((candidate) => candidate.method === (method === "HEAD" ? "GET" : method));
  if (!operation) return unroutedFlaws(at, { method, pathname, isKnownPath: operations.length > 0 }, answer);
  const declared = operation.responses[answer.status];
  if (!declared) return [`${at}: ${operation.operationId} does not declare this status`];
  if (method === "HEAD" || answer.status === 204 || answer.status === 304)
    return answer.body === undefined ? [] : [`${at}: a body where none is due`];
  const [media = ""] = answer.type.split(";");
  const content = declared.content?.[media];
  if (!content) return [`${at}: ${operation.operationId} does not declare ${media}`];
  return content.schema && media === "application/json" ? schemaFlaws(at, content.schema, answer.body) : [];
}

/** Where no operation is declared only the router answers: 404, 405, or OPTIONS. */
function unroutedFlaws(
  at: string,
  { method, pathname, isKnownPath }: { method: string; pathname: string; isKnownPath: boolean },
  { status, body }: { status: number; body: unknown },
): Promise<string[]> | string[] {
  if (method === "OPTIONS" && isKnownPath) return status === 204 ? [] : [`${at}: OPTIONS of a known path is 204`];
  const refusal = methodRefusalOf(pathname, method);
  if (status !== (isKnownPath || refusal === 406 ? refusal : 404)) return [`${at}: the document has no such operation`];
  return method === "HEAD" ? [] : schemaFlaws(at, failureSchemaOf(pathname), body);
}

export async function schemaFlaws(at: string, schema: Schema, body: unknown): Promise<string[]> {
  const { components } = await readDocument();
  const text = JSON.stringify(schema);
  const validator =
    validators.get(text) ?? new Validator({ ...schema, components: namedIn(text, components) }, "2020-12", false);
  validators.set(text, validator);
  const { valid, errors } = validator.validate(body);
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${at}: ${instanceLocation} ${error}`);
}

/** The components that a schema names, and those that these name: an index of all takes far longer to make. */
function namedIn(text: string, { schemas }: Document["components"]): Document["components"] {
  const named = new Map<string, Schema>();
  const follow = (from: string): void => {
    for (const [, name = ""] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name];
      if (!schema || named.has(name)) continue;
      named.set(name, schema);
      follow(JSON.stringify(schema));
    }
  };
  follow(text);
  return { schemas: Object.fromEntries(named) };
}

function matches(template: string, pathname: string): boolean {
  const pattern =
    patterns.get(template) ??
    new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  patterns.set(template, pattern);
  return pattern.test(pathname);
}

const wildcards = (template: string): number => template.split("{").length;
