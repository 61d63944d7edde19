// How both containers ask the platform: what is tried again, what is believed at once, and what people hear of it.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { isUnanswered, PlatformClient, PlatformRefusal } from "../../../containers/program/platform-client.ts";

type Reply = { status: number; body?: object };

let server: Server;
let client: PlatformClient;
/** Given in their order, the last one for good. */
let replies: Reply[];
let asked: { path: string | undefined; authorization: string | undefined }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ path: request.url, authorization: request.headers.authorization });
    const { status, body } = replies.length > 1 ? replies.shift()! : replies[0]!;
    response.writeHead(status).end(body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  client = new PlatformClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "the-token");
});
afterAll(() => void server.close());

const post = (given: Reply[], more: { signal?: AbortSignal; attempts?: number } = {}) => {
  [replies, asked] = [[...given], []];
  return client.post({ path: "/internal/x", body: {}, answer: z.object({ ok: z.boolean() }), ...more });
};
const ok: Reply = { status: 200, body: { ok: true } };

it.each([503, 500, 429])("a %i is passing: it is asked again, with the token", async (status) => {
  expect(await post([{ status }, ok])).toEqual({ ok: true });
  expect(asked).toEqual(Array(2).fill({ path: "/internal/x", authorization: "Bearer the-token" }));
});

it("is asked three times, or as often as wanted", async () => {
  await expect(post([{ status: 503 }])).rejects.toMatchObject({ status: 503 });
  expect(asked.length).toBe(3);
  await expect(post([{ status: 503 }], { attempts: 1 })).rejects.toMatchObject({ isPassing: true });
  expect(asked.length).toBe(1);
});

it.each([
  [
    {
      message: "One or more fields are not valid.",
      error: { flaws: [{ message: "A is 1." }, { message: "B is 2." }] },
    },
    "A is 1. B is 2.",
  ],
  [{ message: "The table is a sync's.", error: { flaws: [] } }, "The table is a sync's."],
  [undefined, "the platform answered 409"],
])("a refusal is believed at once, in the platform's words: %j", async (body, message) => {
  const refusal = await post([{ status: 409, ...(body ? { body } : {}) }, ok]).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PlatformRefusal);
  expect(refusal).toMatchObject({ status: 409, message, isPassing: false });
  expect(asked.length).toBe(1);
});

it("an answer of another form is no answer, and not asked for again", async () => {
  await expect(post([{ status: 200, body: { ok: "yes" } }, ok])).rejects.toBeInstanceOf(z.ZodError);
  expect(asked.length).toBe(1);
});

it("a missing answer is distinguished, and an abort ends the attempts with its reason", async () => {
  const nobody = new PlatformClient("http://127.0.0.1:1", "t");
  const request = { path: "/x", body: {}, answer: z.unknown() };
  expect(isUnanswered(await nobody.post({ ...request, attempts: 1 }).catch((error: unknown) => error))).toBe(true);
  const reason = new Error("given up");
  const controller = new AbortController();
  const asking = post([{ status: 503 }], { signal: controller.signal, attempts: 20 });
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  controller.abort(reason);
  await expect(asking).rejects.toBe(reason);
});
