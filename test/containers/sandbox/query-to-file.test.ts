// A dataset's statement whose answer is lost on the way: it is sent again under its id, and so is written once.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { OpenOutcome, queryToFile } from "../../../containers/sandbox/runs/query-to-file.ts";

const refuse = (status: number, code: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(JSON.stringify({ message: `Refused: ${code}.`, error: { code } }));
const breakOff = (response: ServerResponse) => void response.destroy();

/** The head of a result, and no more of it. */
const breakOffResult = (response: ServerResponse) =>
  void response
    .writeHead(200, { "content-type": "application/vnd.apache.arrow.stream" })
    .write("ARROW1", () => response.destroy());

type QueryOptions = { timeoutMs?: number; mayWrite?: boolean };

/** Asks a platform that gives these answers, the last one again and again. Says how it ended, and the ids it sent. */
async function ask(
  answers: ((response: ServerResponse) => void)[],
  { timeoutMs = 60_000, mayWrite = true }: QueryOptions = {},
) {
  const ids: unknown[] = [];
  const server = createServer((request, response) => {
    ids.push(request.headers["x-request-id"]);
    answers[Math.min(ids.length, answers.length) - 1]!(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const id = crypto.randomUUID();
  const asked = queryToFile({
    platformUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: "key",
    body: { sql: "INSERT INTO t VALUES (1)" },
    id,
    timeoutMs,
    file: "/dev/null",
    bytesMax: 1_000,
    mayWrite,
    signal: new AbortController().signal,
  });
  const error = await asked.then(
    () => undefined,
    (reason: Error) => reason,
  );
  const outcome = error?.message ?? (await asked);
  return { id, ids, outcome, code: error instanceof OpenOutcome ? error.code : undefined };
}

it("is sent again under its id until it is known to be written", async () => {
  const unknown = [breakOff, refuse(500, "write_outcome_unknown"), refuse(409, "work_in_progress")];
  const { id, ids, outcome } = await ask([...unknown, refuse(409, "write_committed")]);
  expect([outcome, ids]).toEqual([null, [id, id, id, id]]);
});

it("fails as a statement of which nobody knows whether it wrote, where that stays so until its deadline", async () => {
  const { id, ids, outcome, code } = await ask([refuse(500, "write_outcome_unknown")], { timeoutMs: 1_000 });
  expect(ids.length).toBeGreaterThan(1);
  expect(outcome).toContain("Whether the statement was written is not known.");
  expect(outcome).toContain(id);
  expect(code).toBe("write_outcome_unknown");
});

it("is sent once where it is refused for good", async () => {
  const { id, ids, outcome } = await ask([refuse(400, "query_failed")]);
  expect([outcome, ids]).toEqual(["Refused: query_failed.", [id]]);
});

it("may be written where its result breaks off, and is not sent again", async () => {
  const { id, ids, code } = await ask([breakOffResult]);
  expect([code, ids]).toEqual(["write_outcome_unknown", [id]]);
});

it("has written nothing, whatever breaks off, where it only reads", async () => {
  for (const answer of [breakOff, breakOffResult]) {
    const { outcome, code } = await ask([answer], { timeoutMs: 1_000, mayWrite: false });
    expect([code, outcome]).toEqual([undefined, expect.stringMatching(/broke off|ran longer/)]);
  }
});
