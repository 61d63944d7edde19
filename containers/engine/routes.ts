// The engine's HTTP routes.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { answerJson, type Exchange as ProgramExchange, type Route } from "../program/server.ts";
import { Answer } from "./answer.ts";
import type { AsyncStatements } from "./async-statements.ts";
import { Failure, toFailure } from "./core/failure.ts";
import { answerFacts } from "./core/statement.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Lake } from "./lake/read/lake.ts";
import { PROTOCOL } from "../../kernel/wire/engine-program.ts";
import {
  EstimateRequest,
  ExportRequest,
  ProfileRequest,
  SQLITE_TYPE,
  StatementRequest,
  type EngineStatus,
} from "../../kernel/wire/engine.ts";
import { ClusterTest } from "../../kernel/wire/statements/cluster.ts";
import { PublishRequest, StageRequest } from "../../kernel/wire/builds.ts";
import {
  AsyncStatementRequest,
  ROWS_END_HEADER,
  RunningRowsRequest,
} from "../../kernel/wire/statements/async-statement.ts";
import { CompileModelRequest } from "../../kernel/semantic/model.ts";
import { SemanticSqlRequest } from "../../kernel/semantic/query.ts";
import { ConnectionTest, IntrospectRequest, type Source } from "../../kernel/wire/source.ts";
import { JobRequest } from "../../kernel/jobs/work.ts";
import type { Requests } from "./requests.ts";
import { estimateStatement, runStatement } from "./run-statement.ts";
import type { SemanticCompiler } from "./semantic/compile/process/semantic-compiler.ts";
import type { Connector } from "./sources/connector.ts";
import type { Statements } from "./statements.ts";

export type Parts = {
  lake: Lake;
  statements: Statements;
  requests: Requests;
  asyncStatements: AsyncStatements;
  jobs: Jobs;
  compiler: SemanticCompiler;
};

type Exchange = ProgramExchange<Parts>;

export const ROUTES: Route<Parts>[] = [
  ["GET", /^\/status$/, getStatus],
  [
    "POST",
    /^\/connections\/test$/,
    (exchange) =>
      answerInTime(exchange, ConnectionTest, sourceLate, async ({ source }, signal) =>
        (await connectorFor(source)).test(source, signal),
      ),
  ],
  [
    "POST",
    /^\/clusters\/test$/,
    (exchange) =>
      answerInTime(exchange, ClusterTest, clusterLate, async (asked, signal) => {
        const { testCluster } = await import("./cluster/test-cluster.ts");
        return testCluster(asked, signal);
      }),
  ],
  [
    "POST",
    /^\/introspect$/,
    (exchange) =>
      answerInTime(exchange, IntrospectRequest, sourceLate, async ({ source }, signal) =>
        (await connectorFor(source)).introspect(source, signal),
      ),
  ],
  [
    "POST",
    /^\/semantic\/models$/,
    (exchange) =>
      answerInTime(exchange, CompileModelRequest, compilerLate, ({ model, sender }, signal) =>
        exchange.compiler.compileModel(model, byThemselves(sender), signal),
      ),
  ],
  [
    "POST",
    /^\/semantic\/sql$/,
    (exchange) =>
      answerInTime(exchange, SemanticSqlRequest, compilerLate, ({ sender, ...asked }, signal) =>
        exchange.compiler.compileSemantic(asked, byThemselves(sender), signal),
      ),
  ],
  ["POST", /^\/statements$/, postStatement],
  [
    "POST",
    /^\/statements\/async$/,
    async ({ response, asyncStatements, readBody }) =>
      answerJson(response, 202, await asyncStatements.start(await readBody(AsyncStatementRequest))),
  ],
  [
    "POST",
    /^\/statements\/([^/]+)\/lease$/,
    ({ response, statements, id }) => answerFound(response, statements.renew(id), "statement"),
  ],
  ["GET", /^\/statements\/([^/]+)\/rows$/, getRows],
  [
    "DELETE",
    /^\/statements\/([^/]+)$/,
    ({ request, response, statements, id }) =>
      answerFound(response, statements.cancel(id, senderOf(request)), "statement"),
  ],
  ["POST", /^\/estimates$/, postEstimate],
  ["POST", /^\/profiles$/, postProfile],
  ["POST", /^\/exports$/, postExport],
  ["POST", /^\/builds\/stage$/, postStage],
  ["POST", /^\/builds\/publish$/, postPublish],
  [
    "POST",
    /^\/jobs$/,
    async ({ response, jobs, readBody }) => answerJson(response, 202, jobs.start(await readBody(JobRequest))),
  ],
  ["GET", /^\/jobs\/([^/]+)$/, getJob],
  ["DELETE", /^\/jobs\/([^/]+)$/, ({ response, jobs, id }) => answerFound(response, jobs.cancel(id), "job")],
];

function getStatus({ response, statements, requests, jobs, lake: { pool } }: Exchange): void {
  const load = {
    statementsMax: statements.runningMax,
    statementIds: statements.ids,
    slots: pool.slots,
    admitted: pool.admitted,
  };
  const running = { statements: statements.running, requests: requests.running, jobs: jobs.running };
  const status: EngineStatus = { protocol: PROTOCOL, ...running, load };
  answerJson(response, 200, status);
}

// Code that only some routes need is loaded by the first request that does, and keeps no engine from its first answer.
const connectorFor = async (source: Source): Promise<Connector> =>
  (await import("./sources/connectors.ts")).connectorOf(source);

const sourceLate = (): Failure =>
  new Failure("connection_failed", "The database did not answer in time.", { reason: "timeout" });
const clusterLate = (): Failure =>
  new Failure("connection_failed", "The cluster did not answer in time.", { reason: "timeout" });
/** The sender has only its own rights in a request without a target. */
const byThemselves = (sender: string) => ({ sender, reader: `by ${sender}` });

const compilerLate = (): Failure =>
  new Failure("deadline_exceeded", "The semantic model did not compile in the time that it may take.");

async function answerInTime<Asked extends { deadlineMs: number }>(
  { response, requests, readBody }: Exchange,
  schema: z.ZodType<Asked>,
  tooLate: () => Failure,
  ask: (asked: Asked, signal: AbortSignal) => Promise<object>,
): Promise<void> {
  const asked = await readBody(schema);
  const answer = await requests.run({ deadlineMs: asked.deadlineMs, tooLate }, (signal, leave) => {
    response.once("close", leave);
    return ask(asked, signal);
  });
  answerJson(response, 200, answer);
}

/** Does what ends when whoever asked for it has gone; its lease is its deadline where it has none of its own. */
async function runForAsker(
  { response, statements }: Exchange,
  asked: { id: string; deadlineMs: number; leaseMs?: number; sender?: string | undefined },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await statements.run(asked.id, { leaseMs: asked.deadlineMs, ...asked }, (signal) => {
    response.once("close", () => response.writableFinished || statements.cancel(asked.id));
    return work(signal);
  });
}

/** Does the same of what only reads, and has its failure say so. */
const readForAsker = (...asked: Parameters<typeof runForAsker>): Promise<void> =>
  runForAsker(...asked).catch((error: unknown) => Promise.reject(toFailure(error).ofRead()));

async function postStatement(exchange: Exchange): Promise<void> {
  const { response, lake, compiler, readBody } = exchange;
  const statement = await readBody(StatementRequest);
  await runForAsker(exchange, statement, (signal) => {
    const facts = answerFacts(statement.earlier);
    const answer = new Answer(response, statement.format, facts);
    return runStatement(statement, { lake, compiler, facts }, signal, answer);
  });
}

async function getRows({ request, response, statements, asyncStatements, id }: Exchange): Promise<void> {
  const asked = RunningRowsRequest.safeParse(Object.fromEntries(queryOf(request)));
  if (!asked.success)
    throw new Failure("bad_request", "The rows that are asked for have a place and a number of bytes.");
  const rows = statements.renew(id) ? await asyncStatements.readRows(id, asked.data) : undefined;
  if (!rows) return answerFound(response, false, "result");
  const { bytes, isEnd, body } = rows;
  const headers = { "content-length": bytes, [ROWS_END_HEADER]: String(isEnd) };
  if (bytes === 0 && !isEnd) return void response.writeHead(204).end();
  response.writeHead(200, headers);
  // A reader who leaves breaks the pipe, and is no fault.
  await pipeline(body, response).catch(() => response.destroy());
}

async function postEstimate(exchange: Exchange): Promise<void> {
  const { response, lake, readBody } = exchange;
  const asked = await readBody(EstimateRequest);
  await readForAsker(exchange, asked, async (signal) => {
    answerJson(response, 200, await estimateStatement(asked, lake, signal));
  });
}

async function postProfile(exchange: Exchange): Promise<void> {
  const { response, lake, readBody } = exchange;
  const asked = await readBody(ProfileRequest);
  await readForAsker(exchange, asked, async (signal) => {
    const { profileColumn } = await import("./lake/profile.ts");
    answerJson(response, 200, await profileColumn(asked, lake, signal));
  });
}

async function postExport(exchange: Exchange): Promise<void> {
  const { response, lake, readBody } = exchange;
  const asked = await readBody(ExportRequest);
  await readForAsker(exchange, asked, async (signal) => {
    const { exportCatalog } = await import("./export/export-catalog.ts");
    await exportCatalog(asked, lake.env.platformUrl, signal, async (file) => {
      response.writeHead(200, { "content-type": SQLITE_TYPE, "content-length": (await stat(file)).size });
      // A caller who leaves breaks the pipe before it is known that they left; neither is a fault.
      await pipeline(createReadStream(file), response, { signal }).catch(() => response.destroy());
    });
  });
}

async function postStage(exchange: Exchange): Promise<void> {
  const { response, lake, readBody } = exchange;
  const asked = await readBody(StageRequest);
  await runForAsker(exchange, asked, async (signal) => {
    const { stageDataset } = await import("./stage-dataset.ts");
    answerJson(response, 200, await stageDataset(asked, lake, signal));
  });
}

async function postPublish({ response, statements, lake, readBody }: Exchange): Promise<void> {
  const asked = await readBody(PublishRequest);
  await statements.run(asked.id, { ...asked, leaseMs: asked.deadlineMs }, async (signal) => {
    const { publishTables } = await import("./lake/build/publish.ts");
    answerJson(response, 200, await publishTables(asked, lake, signal));
  });
}

function getJob({ response, jobs, id }: Exchange): void {
  const status = jobs.get(id);
  if (!status) throw new Failure("not_found", "There is no such job.");
  answerJson(response, 200, status);
}

const queryOf = ({ url = "/" }: IncomingMessage): URLSearchParams => new URLSearchParams(url.split("?")[1]);
const senderOf = (request: IncomingMessage): string | undefined => queryOf(request).get("sender") ?? undefined;

function answerFound(response: ServerResponse, found: boolean, what: string): void {
  if (!found) throw new Failure("not_found", `There is no such ${what}.`);
  response.writeHead(204).end();
}
