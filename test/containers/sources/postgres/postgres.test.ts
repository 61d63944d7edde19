// PostgreSQL as a source: connecting, streaming, and what is left behind when a statement is ended.

import { execFile } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineFailure, type StatementRequest } from "../../../../kernel/wire/engine.ts";
import { ConnectionReport } from "../../../../kernel/wire/source.ts";
import { aStatement } from "../../../support/node/programs/engine.ts";
import { Bench } from "../../../support/node/sources/test-postgres.ts";
import { backendsOf, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { startTcpProxy } from "../../../support/node/servers/tcp-proxy.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.admin.query(`
    DROP SCHEMA IF EXISTS shelf CASCADE; CREATE SCHEMA shelf; CREATE TABLE shelf.kept (n int);
    DROP ROLE IF EXISTS fjord_reader; CREATE ROLE fjord_reader LOGIN PASSWORD 'reader pass'; GRANT USAGE ON SCHEMA shelf TO fjord_reader; GRANT SELECT ON shelf.kept TO fjord_reader;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
});
afterAll(async () => {
  await bench.admin.query("DROP SCHEMA shelf CASCADE; DROP ROLE fjord_reader");
  await bench.close();
});

const server = ownPostgres();
const run = promisify(execFile);
const rssMiB = async () => Number((await run("ps", ["-o", "rss=", "-p", String(bench.engine.pid)])).stdout) / 1024;

describe("connecting", () => {
  const failing = async (credentials: Partial<ReturnType<typeof postgresSource>["credentials"]>) => {
    const response = await bench.engine.call("POST", "/connections/test", {
      source: postgresSource(server, credentials),
      deadlineMs: 10_000,
    });
    const text = await response.text();
    expect(text).not.toContain(credentials.password ?? server.password);
    return { status: response.status, ...EngineFailure.parse(JSON.parse(text)) };
  };

  it("reports product, version, TLS, and that a superuser can write", async () => {
    const report = ConnectionReport.parse(
      await (
        await bench.engine.call("POST", "/connections/test", { source: postgresSource(server), deadlineMs: 10_000 })
      ).json(),
    );
    expect(report).toEqual({
      product: "PostgreSQL",
      version: expect.stringMatching(/^\d+\.\d+$/),
      tls: true,
      canWrite: true,
    });
  });

  it("reports that a role with SELECT alone can't write, until it is granted more", async () => {
    const reader = { username: "fjord_reader", password: "reader pass" };
    const canWrite = async () =>
      ConnectionReport.parse(
        await (
          await bench.engine.call("POST", "/connections/test", {
            source: postgresSource(server, reader),
            deadlineMs: 10_000,
          })
        ).json(),
      ).canWrite;
    expect(await canWrite()).toBe(false);
    await bench.admin.query("GRANT UPDATE (n) ON shelf.kept TO fjord_reader");
    expect(await canWrite()).toBe(true);
    await bench.admin.query("REVOKE UPDATE (n) ON shelf.kept FROM fjord_reader");
  });

  it.each([
    ["a wrong password", { password: "canary-of-a-password" }, "authentication"],
    ["an empty password", { password: "" }, "authentication"],
    ["an unknown role", { username: "nobody_here" }, "authentication"],
    ["an unknown database", { database: "no_such_database" }, "database_missing"],
    ["an unknown host", { host: "nobody.invalid" }, "dns"],
    ["a forbidden host", { host: "169.254.169.254" }, "host_forbidden"],
    ["a port nobody listens on", { port: "1" }, "refused"],
    ["a port that is none", { port: "x" }, "other"],
  ])("says what is wrong with %s", async (_name, credentials, reason) => {
    if ("password" in credentials && credentials.password === "") {
      const response = await bench.engine.call("POST", "/connections/test", {
        source: postgresSource(server, credentials),
        deadlineMs: 10_000,
      });
      return expect(EngineFailure.parse(await response.json())).toMatchObject({ code: "connection_failed", reason });
    }
    expect(await failing(credentials)).toMatchObject({ status: 400, code: "connection_failed", reason });
  });

  it.each([
    ["the caller's deadline", 300],
    ["its own, where the caller's is longer,", 15_000],
  ])("gives a server that says nothing up at %s", async (_name, deadlineMs) => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const response = await bench.engine.call("POST", "/connections/test", {
      source: postgresSource(server, { port: String((silent.address() as AddressInfo).port) }),
      deadlineMs,
    });
    expect(EngineFailure.parse(await response.json())).toMatchObject({ code: "connection_failed", reason: "timeout" });
    silent.close();
  });

  it("takes a server without TLS as it is", async () => {
    const plain = await startTcpProxy(server, { hideTls: true });
    const credentials = { port: plain.port };
    const report = await bench.engine.call("POST", "/connections/test", {
      source: postgresSource(server, credentials),
      deadlineMs: 10_000,
    });
    expect(await report.json()).toMatchObject({ tls: false });
    const rows = await bench.ask(
      aStatement({
        sql: "select 1 as v",
        target: { kind: "source", access: "everything", source: postgresSource(server, credentials) },
      }),
    );
    expect(await rows.json()).toMatchObject({ data: [{ v: 1 }] });
    plain.close();
  });
});

describe("an end from outside leaves nothing running at the database", () => {
  const sleeping = () => bench.statement("select pg_sleep(60)");
  const endless = (more: Partial<StatementRequest> = {}) =>
    bench.statement("select generate_series(1, 1000000000) as g, repeat('x', 100) as filler", {
      format: "csv",
      ...more,
    });

  it("DELETE before the first row", async () => {
    const sent = sleeping();
    const answer = bench.ask(sent);
    await bench.isThere(sent.id);
    expect((await bench.engine.call("DELETE", `/statements/${sent.id}`)).status).toBe(204);
    expect((await answer).status).toBe(499);
    await bench.isGone(sent.id);
    expect((await bench.engine.call("DELETE", `/statements/${sent.id}`)).status).toBe(404);
  });

  it("DELETE mid-stream, which breaks the answer off", async () => {
    const sent = endless();
    const response = await bench.ask(sent);
    const reader = response.body!.getReader();
    await reader.read();
    await bench.engine.call("DELETE", `/statements/${sent.id}`);
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
    await bench.isGone(sent.id);
  });

  it("a caller who hangs up before the first row", async () => {
    const sent = sleeping();
    const controller = new AbortController();
    const answer = bench.ask(sent, controller.signal);
    await bench.isThere(sent.id);
    controller.abort();
    await expect(answer).rejects.toThrow();
    await bench.isGone(sent.id);
  });

  it("a caller who hangs up mid-stream", async () => {
    const sent = endless();
    const controller = new AbortController();
    const response = await bench.ask(sent, controller.signal);
    await response.body!.getReader().read();
    controller.abort();
    await bench.isGone(sent.id);
  });

  it("a lease nobody renews", async () => {
    const sent = { ...sleeping(), leaseMs: 500 };
    expect(await bench.failureOf(sent)).toMatchObject({ status: 499, code: "cancelled" });
    await bench.isGone(sent.id);
  });

  it("but not while the lease is renewed", async () => {
    const sent = bench.statement("select pg_sleep(2)", { leaseMs: 700 });
    let settled = false;
    const answer = bench.ask(sent).finally(() => (settled = true));
    await expect
      .poll(() => bench.engine.call("POST", `/statements/${sent.id}/lease`).then(() => settled), {
        timeout: 10_000,
        interval: 100,
      })
      .toBe(true);
    expect((await answer).status).toBe(200);
  });

  it("a deadline before the first row", async () => {
    const sent = { ...sleeping(), deadlineMs: 500 };
    expect(await bench.failureOf(sent)).toMatchObject({ status: 408, code: "deadline_exceeded" });
    await bench.isGone(sent.id);
  });

  it("a deadline mid-stream, which a JSON document reports at its end", async () => {
    const sent = bench.statement(
      "select g, pg_sleep(0.01) is null as s, repeat('x', 1000) as filler from generate_series(1, 100000) g",
      { deadlineMs: 1_500 },
    );
    const response = await bench.ask(sent);
    expect(response.status).toBe(200);
    expect(JSON.parse(await response.text())).toMatchObject({ success: false, error: { code: "query_timeout" } });
    await bench.isGone(sent.id);
  });

  it("a JSON answer that is full", async () => {
    const sent = { ...endless({ format: "json" }), rowsMax: 10 };
    const document = (await (await bench.ask(sent)).json()) as {
      data: unknown[];
      truncated: boolean;
      success: boolean;
    };
    expect(document).toMatchObject({ truncated: true, success: true });
    expect(document.data).toHaveLength(10);
    await bench.isGone(sent.id);
  });
});

describe("streaming", () => {
  it("shows the first rows of a slow statement before it has ended", async () => {
    // PostgreSQL itself sends in pieces of 8 KiB.
    const sent = bench.statement(
      "select g, repeat('x', 9000) as filler, pg_sleep(case when g > 3 then 60 else 0 end) is null as s from (values (1), (2), (3), (4)) v(g)",
      { format: "ndjson" },
    );
    const response = await bench.ask(sent);
    const { value } = await response.body!.getReader().read();
    expect(Buffer.from(value!).toString()).toContain('{"g":2,');
    expect((await bench.engine.call("DELETE", `/statements/${sent.id}`)).status).toBe(204);
    await bench.isGone(sent.id);
  });

  it("hands over 1.5 million rows whole, with bounded memory", async () => {
    const before = await rssMiB();
    const response = await bench.ask(
      bench.statement("select g, repeat('x', 100) as filler from generate_series(1, 1500000) g", { format: "csv" }),
    );
    let lines = 0;
    let most = 0;
    let seen = 0;
    for await (const chunk of response.body!) {
      for (const byte of chunk) if (byte === 0x0a) lines++;
      if ((seen += chunk.length) > 10_000_000) {
        seen = 0;
        most = Math.max(most, await rssMiB());
      }
    }
    expect(lines).toBe(1_500_001);
    expect(most).toBeGreaterThan(0);
    expect(most - before).toBeLessThan(150);
  });

  it("makes the database wait for a reader who stops reading, and keeps no more than a little", async () => {
    const before = await rssMiB();
    const sent = bench.statement("select generate_series(1, 1000000000) as g, repeat('x', 100) as filler", {
      format: "csv",
    });
    const controller = new AbortController();
    const response = await bench.ask(sent, controller.signal);
    await response.body!.getReader().read();
    await expect
      .poll(async () => (await backendsOf(bench.admin, sent.id))[0]?.wait_event, { timeout: 10_000 })
      .toBe("ClientWrite");
    expect((await rssMiB()) - before).toBeLessThan(150);
    controller.abort();
    await bench.isGone(sent.id);
  });
});
