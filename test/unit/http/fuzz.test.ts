// Requests nobody thought of, for every operation of the document: no answer is a failure of ours, none is of a status,
// type or shape that is not declared, what the document forbids is refused, and nobody comes in without a key.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
// The Worker loads these by their first use, which may be the last request: a runtime that ends waits for no file.
import "@simplewebauthn/server";
import "@simplewebauthn/server/helpers";
import { app } from "../../../src/app.ts";
import "../../../src/features/deliveries/render/charts/echarts.ts";
import { DRAWING_APP } from "../../../src/features/mcp/app/drawing.ts";
import { isCubes, isPublished, nonconformities, readDocument } from "../../support/unit/conformance.ts";
import { fakeSandbox } from "../../support/unit/fake-sandbox.ts";
import { newFullTeam } from "../../support/unit/fuzz/full-team.ts";
import { quickEngine } from "../../support/unit/fuzz/fake-programs.ts";
import {
  collectIds,
  listFuzzedOperations,
  requestOf,
  type FuzzedRequest,
  type KnownIds,
} from "../../support/unit/fuzz/requests.ts";
import { pick, type Generation } from "../../support/unit/fuzz/schema-values.ts";
import { OWN_PAGE } from "../../support/unit/sign-in/session.ts";
import { randomOf } from "../../support/unit/random.ts";

/** `FUZZ_REQUESTS` and `FUZZ_SEED` of the environment make it more, and one that failed again. */
const REQUESTS = Number(env.FUZZ_REQUESTS);
const SEED = Number(env.FUZZ_SEED);
/** Requests use up what there is: users are removed, keys revoked. */
const REQUESTS_PER_TEAM = 250;

/** What a key can't do, whatever it sends: it is for people in browsers, or at an address that the platform signs. */
const BEYOND_CHANCE = [
  ...["createPasskey", "createPasskeyChallenge", "createIdentity", "beginIdentity", "createOwnKey"],
  ...["listOwnKeys", "deleteOwnKey"],
  ...["previewAgentAuthorization", "createAgentAuthorization", "getTrinoPage", "cancelTrinoStatement"],
  // A team of the fuzzer has no event that has ended.
  ...["replayMessage", "replayEvents"],
];

type Answer = { status: number; type: string; body: unknown };

await DRAWING_APP.load();

it("answers whatever it is asked as the document says", async () => {
  const operations = await listFuzzedOperations();
  const paths = operations.map(({ path }) => path);
  const { components } = await readDocument();
  const random = randomOf(SEED);
  const flaws: string[] = [];
  const seen = new Map<string, Set<number>>();
  const wasTaken = (id: string) => [...(seen.get(id) ?? [])].some((status) => status < 300);
  const worlds = [await newWorld()];
  for (let i = 0; i < REQUESTS; i++) {
    if (i > 0 && i % REQUESTS_PER_TEAM === 0) worlds.unshift(await newWorld());
    const world = worlds[0]!;
    const generation: Generation = {
      random,
      components: components.schemas as Generation["components"],
      anyId: () => pick(random, [...[...world.ids.values()].flat(), crypto.randomUUID()]),
    };
    // Every other request is one that the document allows, of somebody who may all, for an operation that only refused.
    const untried = i % 2 === 0 ? [] : operations.filter(({ operationId }) => !wasTaken(operationId));
    const operation = untried.length > 0 ? pick(random, untried) : operations[(i >> 1) % operations.length]!;
    const isTried = untried.length === 0;
    const request = requestOf(operation, generation, world.ids, isTried ? undefined : 0);
    const key = isTried ? pick(random, world.keys) : world.keys[0];
    const answer = await send(world, request, key);
    seen.set(operation.operationId, (seen.get(operation.operationId) ?? new Set()).add(answer.status));
    if (answer.status < 300) collectIds(world.ids, request, answer.body, paths);
    const found = await flawsOf(request, key, answer);
    if (operation.method === "DELETE" && answer.status === 204) found.push(...(await flawsOfGone(world, request, key)));
    flaws.push(...found.map((flaw) => `${flaw} <- ${request.path} ${request.raw ?? ""}`.slice(0, 1_000)));
  }
  // Requests leave work behind that their answers do not wait for.
  await Promise.all(worlds.map(({ context }) => waitOnExecutionContext(context)));
  expect(flaws, `FUZZ_SEED=${SEED}`).toEqual([]);
  // Most operations were had at least once beyond their refusals, or this would prove little. A query in Cube's words
  // is nothing that chance writes, and neither is a secret that opens one thing.
  const takable = operations
    .filter(({ path, isPublic }) => !isCubes(path) && !isPublished(path) && !isPublic)
    .map(({ operationId }) => operationId)
    .filter((id) => !BEYOND_CHANCE.includes(id));
  const neverTaken = takable.filter((id) => !wasTaken(id));
  expect(neverTaken.length, JSON.stringify(neverTaken.map((id) => [id, [...(seen.get(id) ?? [])]]))).toBeLessThan(
    takable.length / 4,
  );
}, 600_000);

type World = { context: ExecutionContext; keys: (string | undefined)[]; ids: KnownIds; bindings: Env };

async function newWorld(): Promise<World> {
  const bindings = { ...env, ...quickEngine(), ...fakeSandbox().bindings } as Env;
  const { team, ids } = await newFullTeam(bindings);
  const operator = await team.newMember("admin");
  await env.DB.prepare("UPDATE users SET is_operator = 1 WHERE id = ?").bind(operator.id).run();
  const spare = await team.newMember("admin");
  const keys = [operator.key, operator.key, spare.key, team.admin.key, team.member.key, undefined];
  return { context: createExecutionContext(), keys, ids, bindings };
}

async function send(world: World, { operation, path, headers, raw }: FuzzedRequest, key: string | undefined) {
  const request = new Request(`https://fjord.test${path}`, {
    method: operation.method,
    headers: {
      ...headers,
      ...(operation.isPublic && OWN_PAGE),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(raw === undefined ? {} : { body: raw }),
    redirect: "manual",
  });
  const response = await app.fetch(request, world.bindings, world.context);
  const type = response.headers.get("content-type") ?? "";
  const isFollowed = type.startsWith("text/event-stream");
  if (isFollowed) await response.body?.cancel();
  const text = isFollowed ? "" : new TextDecoder().decode(await response.arrayBuffer());
  const body = text === "" ? undefined : type.startsWith("application/json") ? (JSON.parse(text) as unknown) : text;
  return { status: response.status, type, body } satisfies Answer;
}

async function flawsOf(request: FuzzedRequest, key: string | undefined, answer: Answer): Promise<string[]> {
  const { operation, path, isInvalid } = request;
  const at = `${operation.method} ${operation.path} ${answer.status}`;
  // A webhook's body passes through to the sandbox, which is the first to read it; this ring's sandbox reads none.
  const isReadHere = operation.operationId !== "executeWebhook";
  const refusesStrangers = operation.isPublic || answer.status >= 400;
  return [
    ...(answer.status >= 500 ? [`${at}: ${JSON.stringify(answer.body)}`] : []),
    ...(isInvalid && isReadHere && answer.status < 400 ? [`${at}: takes a body that the document forbids`] : []),
    ...(key === undefined && !refusesStrangers ? [`${at}: wants no key`] : []),
    ...(await nonconformities(operation.method, path, answer)),
  ];
}

/** What was deleted is not there any more, or says that it is archived. */
async function flawsOfGone(world: World, request: FuzzedRequest, key: string | undefined): Promise<string[]> {
  const { paths } = await readDocument();
  if (!paths[request.operation.path]?.["get"]) return [];
  const again = { ...request, operation: { ...request.operation, method: "GET" }, raw: undefined, headers: {} };
  const { status, body } = await send(world, { ...again, path: request.path.split("?")[0]! }, key);
  const isArchived = typeof (body as { data?: { archived_at?: unknown } } | undefined)?.data?.archived_at === "string";
  return status < 300 && !isArchived ? [`GET ${request.operation.path}: is there after it was deleted`] : [];
}
