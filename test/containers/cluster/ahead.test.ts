// One page of a cluster is asked for while the page before is written: no page is lost, none comes too early, and what
// is under way ends with its statement.

import { describe, expect, it } from "vitest";
import type { ClusterHttp } from "../../../containers/engine/cluster/connection/cluster-http.ts";
import { runStatement } from "../../../containers/engine/cluster/connection/statement.ts";
import { column, signature } from "../../support/node/cluster/fake-cluster.ts";

const ID = "20261130_000000_00001_fake1";
const ORIGIN = new URL("http://cluster.test");
const N = column("n", signature("bigint"));
const never = new AbortController().signal;

/** A cluster whose page of a number is as `answer` says, and what was asked of it. */
function cluster(pages: number, answer: (at: number, signal: AbortSignal) => Promise<object> | object = () => ({})) {
  const asked: number[] = [];
  const cancelled: string[] = [];
  const http = {
    origin: ORIGIN,
    withoutSecrets: (text: string) => text,
    async request(_: string, url: URL, signal: AbortSignal) {
      const at = Number(/(\d+)$/.exec(url.pathname)?.[1] ?? 0);
      asked.push(at);
      const isLast = at === pages;
      const nextUri = `${ORIGIN.origin}/v1/statement/executing/${ID}/y/${at + 1}`;
      const document = {
        ...{ id: ID, columns: [N], data: [[at]], stats: { state: isLast ? "FINISHED" : "RUNNING" } },
        ...(!isLast && { nextUri }),
        ...(await answer(at, signal)),
      };
      return Buffer.from(JSON.stringify(document));
    },
    async cancel({ pathname }: URL) {
      cancelled.push(pathname);
    },
  };
  return { asked, cancelled, http: http as unknown as ClusterHttp };
}
const run = ({ http }: ReturnType<typeof cluster>, signal = never) =>
  runStatement(http, "SELECT n FROM t", { bytesRead: 0 }, signal);

describe("the next page of a cluster", () => {
  it("is asked for while the one before is written, and no further one is", async () => {
    const from = cluster(3);
    const pages = run(from);
    expect((await pages.next()).value?.rows).toEqual([[0]]);
    expect(from.asked).toEqual([0, 1]);
    expect((await pages.next()).value?.rows).toEqual([[1]]);
    expect(from.asked).toEqual([0, 1, 2]);
    expect([(await pages.next()).value?.rows, (await pages.next()).value?.rows]).toEqual([[[2]], [[3]]]);
    expect((await pages.next()).done).toBe(true);
    expect([from.asked, from.cancelled]).toEqual([[0, 1, 2, 3], []]);
  });

  it("fails the statement once the rows before it are written, whenever it failed", async () => {
    const from = cluster(3, (at) => (at === 2 ? Promise.reject(new Error("It broke.")) : {}));
    const pages = run(from);
    await pages.next();
    expect((await pages.next()).value?.rows).toEqual([[1]]);
    // By now the page has failed, which nobody has asked about yet.
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(pages.next()).rejects.toThrow("It broke.");
    expect(from.cancelled).toHaveLength(1);
  });

  it("is an error of the cluster's behind rows, and never an end", async () => {
    const error = { message: "lost", errorName: "REMOTE_TASK_ERROR", errorType: "INTERNAL_ERROR" };
    const from = cluster(3, (at) => (at === 2 ? { error, data: null, stats: { state: "FAILED" } } : {}));
    const pages = run(from);
    expect([(await pages.next()).value?.rows, (await pages.next()).value?.rows]).toEqual([[[0]], [[1]]]);
    await expect(pages.next()).rejects.toThrow("lost");
    expect(from.asked).toEqual([0, 1, 2]);
  });

  it("is not waited for where nobody reads on: it is broken off, and the statement is ended", async () => {
    let isBrokenOff = false;
    const from = cluster(3, (at, signal) =>
      at < 1
        ? {}
        : new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              isBrokenOff = true;
              reject(signal.reason);
            }),
          ),
    );
    const pages = run(from);
    await pages.next();
    await pages.return();
    expect([isBrokenOff, from.cancelled]).toEqual([true, [`/v1/statement/executing/${ID}/y/1`]]);
  });

  it("ends by a cancellation while the page before is written", async () => {
    const caller = new AbortController();
    const from = cluster(3, (at, signal) =>
      at < 1 ? {} : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const pages = run(from, caller.signal);
    await pages.next();
    caller.abort(new Error("The statement was cancelled."));
    await expect(pages.next()).rejects.toThrow("The statement was cancelled.");
    expect(from.cancelled).toHaveLength(1);
  });

  it("is not asked for behind one that is wrong", async () => {
    const from = cluster(3, (at) => (at === 1 ? { data: [[1, 2]] } : {}));
    const pages = run(from);
    await pages.next();
    await expect(pages.next()).rejects.toThrow("another number of values");
    expect(from.asked).toEqual([0, 1]);
  });
});
