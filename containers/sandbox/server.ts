// The sandbox's HTTP routes, all behind one secret. Every answer carries the protocol's version.

import type { IncomingMessage } from "node:http";
import {
  answerJson,
  createProgramServer,
  type Exchange as ProgramExchange,
  type ProgramHttp,
  type ProgramServer,
  type Route,
} from "../program/server.ts";
import { ENVELOPE_BYTES_MAX, type Envelopes } from "./envelope/envelopes.ts";
import { Failure, toFailure } from "./core/failure.ts";
import { PROTOCOL, RunOrder, SANDBOX_VERSION_HEADER, type SandboxStatus } from "../../kernel/wire/sandbox.ts";
import { checkOrder } from "./runs/check-order.ts";
import type { Runs } from "./runs/runs.ts";

const http: ProgramHttp = {
  name: "sandbox",
  versionHeader: SANDBOX_VERSION_HEADER,
  protocol: PROTOCOL,
  requestMs: 300_000,
  /** Bytes of a body: two hundred datasets of ordinary length. */
  bodyBytesMax: 16 * 1024 * 1024,
  refuse: (code, message, flaws) => new Failure(code, message, flaws),
  toFailure,
};

const SIGN_OF_LIFE_MS = 10_000;

export type Services = {
  runs: Runs;
  envelopes: Envelopes;
  jail: SandboxStatus["jail"];
  drive: "mount" | "mirror";
  weakAllowed: boolean;
};

type Exchange = ProgramExchange<Services>;

const routes: Route<Services>[] = [
  ["GET", /^\/status$/, getStatus],
  ["PUT", /^\/runs\/([^/]+)\/envelope$/, putEnvelope],
  ["POST", /^\/runs\/([^/]+)$/, postRun],
  ["POST", /^\/runs\/([^/]+)\/start$/, postStart],
  ["GET", /^\/runs\/([^/]+)$/, getRun],
  ["DELETE", /^\/runs\/([^/]+)$/, deleteRun],
];

export const createSandboxServer = (secret: string, parts: Services): ProgramServer =>
  createProgramServer({ http, secret, served: { routes, parts } });

function getStatus({ response, runs, jail, drive }: Exchange): void {
  const status: SandboxStatus = { protocol: PROTOCOL, runs: runs.running, jail, drive };
  answerJson(response, 200, status);
}

async function putEnvelope({ request, response, envelopes, id, refuseStopped }: Exchange): Promise<void> {
  try {
    refuseStopped();
    const report = await envelopes.put(id, piecesOf(request));
    refuseStopped();
    answerJson(response, 200, report);
  } catch (refusal) {
    await drain(request);
    throw refusal;
  }
}

/** Stays open when its reader leaves early: the answer goes through the same connection. */
const piecesOf = (request: IncomingMessage) =>
  request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;

/**
 * A client that is still sending when the connection closes hears of that, and not the answer: the rest is read, within
 * a bound.
 */
async function drain(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of piecesOf(request)) if ((bytes += piece.length) > ENVELOPE_BYTES_MAX) return;
  } catch {
    // The sender is gone.
  }
}

/** Holds the answer until the run has ended; white space meanwhile keeps those in between from giving up. */
async function postRun(exchange: Exchange): Promise<void> {
  const { response, runs } = exchange;
  const report = runs.start(await readOrder(exchange), false);
  const timer = setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/json" });
    response.write(" ");
  }, SIGN_OF_LIFE_MS);
  try {
    const text = JSON.stringify(await report);
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/json" });
    response.end(text);
  } finally {
    clearInterval(timer);
  }
}

/** Answers once the run is taken; what becomes of it the platform hears from the run itself. */
async function postStart(exchange: Exchange): Promise<void> {
  exchange.runs.start(await readOrder(exchange), true).catch(() => undefined);
  exchange.response.writeHead(202).end();
}

async function readOrder({ id, jail, weakAllowed, readBody }: Exchange): Promise<RunOrder> {
  const order = await readBody(RunOrder);
  if (order.runId !== id) throw new Failure("bad_request", "The order is of another run than the path.");
  checkOrder(order);
  if (!jail.strong && !weakAllowed)
    throw new Failure(
      "jail_refused",
      `The jail of this sandbox is too weak to run code: ${jail.kind} lacks ${jail.lacks.join(", ")}.`,
    );
  return order;
}

function getRun({ response, runs, id }: Exchange): void {
  const status = runs.get(id);
  if (!status) throw new Failure("not_found", "There is no such run.");
  answerJson(response, 200, status);
}

function deleteRun({ response, runs, id }: Exchange): void {
  if (!runs.cancel(id)) throw new Failure("not_found", "There is no such run.");
  response.writeHead(204).end();
}
