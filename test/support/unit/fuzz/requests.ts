// Requests made from the document: of every operation some that it allows, and some that break its rules in one place.

import { Validator, type Schema } from "@cfworker/json-schema";
import { readDocument } from "../conformance.ts";
import { anything, brokenValueOf, pick, valueOf, type Generation, type JsonSchema } from "./schema-values.ts";

type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: JsonSchema };

export type FuzzedOperation = {
  method: string;
  /** The path as in the document: `/v4/users/{user_id}`. */
  path: string;
  operationId: string;
  isPublic: boolean;
  parameters: Parameter[];
  /** The schema of a JSON body; undefined where the operation takes none, or another one. */
  body?: { schema: JsonSchema; required: boolean } | undefined;
  validator?: Validator | undefined;
};

export type FuzzedRequest = {
  operation: FuzzedOperation;
  path: string;
  headers: Record<string, string>;
  raw?: string | undefined;
  /** What the document says of its body: an operation that takes it all the same is wrong. */
  isInvalid: boolean;
};

/** Ids by the name of the path's parameter, as answers gave them. */
export type KnownIds = Map<string, string[]>;

type DocumentOperation = {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> };
};

export async function listFuzzedOperations(): Promise<FuzzedOperation[]> {
  const { paths, components } = await readDocument();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DocumentOperation>).map(([method, operation]) => {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      return {
        method: method.toUpperCase(),
        path,
        operationId: operation.operationId,
        isPublic: operation.security?.length === 0,
        parameters: operation.parameters ?? [],
        body: schema && { schema, required: operation.requestBody?.required === true },
        validator: schema && new Validator({ ...(schema as Schema), components }, "2020-12", true),
      };
    }),
  );
}

/** Seldom enough that most requests come as far as the operation itself. */
const BROKEN = 0.35;

/** How often what may be left out is given. A precondition that is drawn by chance keeps all else from being tried. */
const GIVEN = { query: 0.5, header: 0.1 } as const;

/** One request. Its ids are known ones where there are any, mostly. So many of them break a rule: `brokenShare`. */
export function requestOf(
  operation: FuzzedOperation,
  generation: Generation,
  ids: KnownIds,
  brokenShare = BROKEN,
): FuzzedRequest {
  const { random } = generation;
  const idFor = (name: string): string => {
    const known = ids.get(name) ?? [];
    return known.length > 0 && random() < 0.85 ? pick(random, known) : generation.anyId();
  };
  const isBroken = random() < brokenShare;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(isBroken && random() < 0.2 ? oddText(random) : idFor(name)),
  );
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === "path" || (!required && random() >= GIVEN[place])) continue;
    const value = isBroken && random() < 0.3 ? anything(random) : valueOf(schema, generation);
    const texts = (Array.isArray(value) ? value : [value]).map(textOf);
    if (place === "query") for (const text of texts) query.append(name, text);
    else if (texts.length > 0) headers[name] = texts[0]!.replaceAll(/[^\x21-\x7e]/g, "_");
  }
  if (isBroken && random() < 0.2) query.append(oddText(random) || "unknown", oddText(random));
  const search = query.size > 0 ? `?${query}` : "";
  return { operation, path: path + search, ...bodyOf(operation, generation, headers, isBroken) };
}

function bodyOf(
  { body, validator }: FuzzedOperation,
  generation: Generation,
  headers: Record<string, string>,
  isBroken: boolean,
): Pick<FuzzedRequest, "headers" | "raw" | "isInvalid"> {
  const { random } = generation;
  if (!body) return { headers, isInvalid: false };
  if (!body.required && random() < 0.2) return { headers, isInvalid: false };
  const json = { ...headers, "content-type": "application/json" };
  if (isBroken && random() < 0.15) {
    const raw = pick(random, ["", "{", "[1,", "nul", '{"a":1}{"b":2}', '{"a":1,}', "\u0000"]);
    return { headers: json, raw, isInvalid: raw !== "" || body.required };
  }
  if (isBroken && random() < 0.1)
    return { headers: { ...headers, "content-type": "text/plain" }, raw: "{}", isInvalid: true };
  const value = isBroken ? brokenValueOf(body.schema, generation) : valueOf(body.schema, generation);
  return { headers: json, raw: JSON.stringify(value), isInvalid: validator?.validate(value).valid === false };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();

const oddText = (random: () => number): string => textOf(anything(random));

/** Remembers the ids in an answer for the operations below its path. */
export function collectIds(ids: KnownIds, request: FuzzedRequest, answer: unknown, paths: readonly string[]): void {
  const names = paths.flatMap((path) =>
    path.startsWith(`${request.operation.path}/{`) ? parameterBehind(path, request) : [],
  );
  const found = idsIn(answer);
  for (const name of new Set(names)) {
    const known = ids.get(name) ?? [];
    ids.set(name, [...known, ...found.filter((id) => !known.includes(id))].slice(-KNOWN_MAX));
  }
}

const KNOWN_MAX = 8;

const parameterBehind = (path: string, { operation }: FuzzedRequest): string[] =>
  /^\/\{(\w+)\}/.exec(path.slice(operation.path.length))?.slice(1) ?? [];

/** The ids of the things an answer is about, not of everything it mentions. */
function idsIn(answer: unknown): string[] {
  const { data = answer } = (answer ?? {}) as { data?: unknown };
  const { items = data } = (data ?? {}) as { items?: unknown };
  const things = [items, ...Object.values((data ?? {}) as object)].flat() as unknown[];
  return things.flatMap((thing) => {
    const id = (thing as { id?: unknown } | null)?.id;
    return typeof id === "string" ? [id] : [];
  });
}
