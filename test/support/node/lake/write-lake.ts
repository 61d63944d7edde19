// A lake that statements write to: real query processes, and the real catalog behind the platform's routes.

import { runLakeStatement } from "../../../../containers/engine/lake/run-statement.ts";
import { statementOf, type LakeStatement } from "../../../../containers/engine/core/statement.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../../../../containers/engine/core/failure.ts";
import type { Lake } from "../../../../containers/engine/lake/read/lake.ts";
import type { LakeSettings } from "../../../../containers/engine/core/settings.ts";
import type { LakeGrant, StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { bindParameters } from "../../../../containers/engine/parameters/bind-parameters.ts";
import { CatalogPlatform } from "./catalog-platform.ts";
import { startLake } from "./test-lake.ts";

export type Row = Record<string, unknown>;
export type StatementOptions = {
  grant?: LakeGrant;
  parameters?: Record<string, BoundParameter>;
  signal?: AbortSignal;
  id?: string;
  format?: StatementRequest["format"];
  numbers?: StatementRequest["numbers"];
};

export class WriteLake {
  readonly platform: CatalogPlatform;
  readonly lake: Lake;
  readonly #directory: string;
  #ids = 0;

  private constructor(platform: CatalogPlatform, lake: Lake, directory: string) {
    this.platform = platform;
    this.lake = lake;
    this.#directory = directory;
  }

  static async open(settings: Partial<LakeSettings> = {}): Promise<WriteLake> {
    const directory = mkdtempSync(join(tmpdir(), "fjord-write-"));
    const platform = await CatalogPlatform.start();
    const lake = startLake({ platformUrl: platform.url, s3Dial: "" }, directory, settings);
    return new WriteLake(platform, lake, directory);
  }

  async close(): Promise<void> {
    await this.lake.stop();
    await this.platform.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The answer as text. Rejects with a Failure. */
  async ask(sql: string, asked: StatementOptions = {}): Promise<string> {
    return (await this.bytes(sql, asked)).toString();
  }

  async bytes(
    sent: string,
    {
      grant,
      parameters,
      signal = new AbortController().signal,
      id = `s${++this.#ids}`,
      format = "json",
      numbers = "exact",
    }: StatementOptions = {},
  ): Promise<Buffer> {
    const lake = grant ?? this.platform.writerGrant(id);
    const bound = parameters && bindParameters(sent, parameters, "lake");
    const sql = bound?.sql ?? sent;
    const statement = statementOf({
      id,
      sql,
      ...(bound && { values: bound.values, isNumbered: true }),
      target: { kind: "lake", lake },
      format,
      numbers,
      deadlineMs: 60_000,
      leaseMs: 60_000,
      rowsMax: 100_000,
      bytesMax: 1e8,
    }) as LakeStatement;
    const chunks: Uint8Array[] = [];
    const sink = { write: (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes)) };
    await runLakeStatement(statement, this.lake, signal, sink).catch((error: unknown) => {
      throw bound ? bound.rewriteError(error) : error;
    });
    return Buffer.concat(chunks);
  }

  async rows(sql: string, asked: StatementOptions = {}): Promise<Row[]> {
    const answer = JSON.parse(await this.ask(sql, asked)) as {
      success: boolean;
      data: Row[];
      error?: { message: string };
    };
    if (!answer.success) throw new Error(answer.error?.message);
    return answer.data;
  }

  /** How many rows a statement says it wrote. */
  async count(sql: string, asked: StatementOptions = {}): Promise<unknown> {
    return (await this.rows(sql, asked))[0]?.count;
  }

  /** Why a statement is refused. */
  async failure(sql: string, asked: StatementOptions = {}): Promise<Pick<Failure, "code" | "message">> {
    return this.ask(sql, asked).then(
      (answer) => {
        throw new Error(`${sql} was answered: ${answer.slice(0, 200)}`);
      },
      ({ code, message }: Failure) => ({ code, message }),
    );
  }
}
