// An engine beside the tests' PostgreSQL, and the few things the suites do with the two.

import type pg from "pg";
import { expect } from "vitest";
import { EngineFailure, type StatementRequest } from "../../../../kernel/wire/engine.ts";
import { aStatement, startEngine, type Engine } from "../programs/engine.ts";
import { backendsOf, connectPostgres, ownPostgres, postgresSource } from "./sources.ts";

export type JsonResult = {
  types: { name: string; type: string; kind: string }[];
  data: Record<string, unknown>[];
  truncated: boolean;
  success: boolean;
};

export class Bench {
  readonly engine: Engine;
  /** The tests' own connection, as superuser. */
  readonly admin: pg.Client;

  private constructor(engine: Engine, admin: pg.Client) {
    this.engine = engine;
    this.admin = admin;
  }

  static async open(): Promise<Bench> {
    const [engine, admin] = await Promise.all([
      startEngine({ hostsAllowed: "loopback" }),
      connectPostgres(ownPostgres()),
    ]);
    return new Bench(engine, admin);
  }

  async close(): Promise<void> {
    await Promise.all([this.engine.stop(), this.admin.end()]);
  }

  statement(sql: string, more: Partial<StatementRequest> = {}): StatementRequest {
    return aStatement({
      sql,
      target: { kind: "source", access: "everything", source: postgresSource(ownPostgres()) },
      ...more,
    });
  }

  ask(sent: StatementRequest, signal?: AbortSignal): Promise<Response> {
    return this.engine.call("POST", "/statements", sent, signal);
  }

  async rowsOf(sql: string, more: Partial<StatementRequest> = {}): Promise<JsonResult & { text: string }> {
    const response = await this.ask(this.statement(sql, more));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return { text, ...(JSON.parse(text) as JsonResult) };
  }

  async failureOf(sent: StatementRequest): Promise<EngineFailure & { status: number }> {
    const response = await this.ask(sent);
    return { status: response.status, ...EngineFailure.parse(await response.json()) };
  }

  /** Polls until the statement runs at the server. */
  async isThere(id: string): Promise<void> {
    await expect
      .poll(async () => (await backendsOf(this.admin, id))[0]?.state, { timeout: 20_000, interval: 20 })
      .toBe("active");
  }

  /** Polls until no backend of the server serves the statement. */
  async isGone(id: string): Promise<void> {
    await expect.poll(() => backendsOf(this.admin, id), { timeout: 10_000, interval: 25 }).toEqual([]);
  }
}
