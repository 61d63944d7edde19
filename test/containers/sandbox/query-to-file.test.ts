// A dataset's statement whose answer is lost on the way: it is sent again under its id, and so is written once.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { queryToFile } from "../../../containers/sandbox/runs/query-to-file.ts";

const refuse = (status: number, code: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(JSON.stringify({ message: `Refused: ${code}.`, error: { code } }));
const breakOff = (response: ServerResponse) => void response.destroy();

/** Asks a platform that gives these answers, the last one again and again. Says how it ended, and the ids it sent. */
async function ask(answers: ((response: ServerResponse) => void)[], timeoutMs = 60_000) {
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
    signal: new AbortController().signal,
  });
  return { id, ids, outcome: await asked.catch((error: Error) => error.message) };
}

it("is sent again under its id until it is known to be written", async () => {
  const unknown = [breakOff, refuse(500, "write_outcome_unknown"), refuse(409, "work_in_progress")];
  const { id, ids, outcome } = await ask([...unknown, refuse(409, "write_committed")]);
  expect([outcome, ids]).toEqual([null, [id, id, id, id]]);
});

it("fails as a statement of which nobody knows whether it wrote, where that stays so until its deadline", async () => {
  const { id, ids, outcome } = await ask([refuse(500, "write_outcome_unknown")], 1_000);
  expect(ids.length).toBeGreaterThan(1);
  expect(outcome).toContain("Whether the statement was written is not known.");
  expect(outcome).toContain(id);
});

it("is sent once where it is refused for good", async () => {
  const { id, ids, outcome } = await ask([refuse(400, "query_failed")]);
  expect([outcome, ids]).toEqual(["Refused: query_failed.", [id]]);
});
