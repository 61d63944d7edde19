// A statement's answer on the wire, with what the fault on demand makes of it.

import type { Socket } from "node:net";
import type { AnswerFault } from "./faults.ts";
import type { ServerState } from "./server-state.ts";
import { MessageWriter } from "./tds/message-writer.ts";
import type { Statement } from "./tds/requests.ts";
import * as tokens from "./tds/tokens.ts";
import { encoderOf, rowToken, type FakeValue } from "./tds/values.ts";
import type { TsqlResult, TsqlSession } from "./tsql/tsql-session.ts";
import { splitBatch } from "./tsql/tokenize.ts";
import { TsqlError } from "./tsql/tsql-error.ts";

const { DONE } = tokens;
const IN_PROCEDURE = 0xff;
const OF_PROCEDURE = 0xfe;

export type AnsweringSession = {
  readonly server: ServerState;
  readonly socket: Socket;
  readonly packetBytes: number;
  /** An attention has come that is not answered yet. */
  readonly isStopped: boolean;
  /** The client is gone. */
  readonly isOver: boolean;
  /** Settles once there is room for more. */
  write(bytes: Buffer): Promise<void>;
  /** Settles once an attention has come, or the client has gone. */
  untilStopped(): Promise<void>;
};

/** Thrown where the rest of an answer is not sent: an attention came, a fault ended it. */
class Ended extends Error {}

export async function sendAnswer(session: AnsweringSession, tsql: TsqlSession, statement: Statement): Promise<void> {
  const out = new MessageWriter(session.packetBytes, (bytes) => session.write(bytes));
  const fault = faultOf(session, statement.sql);
  try {
    if (statement.values) await sendProcedure(session, tsql, { out, statement, fault });
    else await sendBatch(session, tsql, { out, statement, fault });
    if (fault?.kind === "no end") await out.flush();
    else await out.end();
    if (fault?.kind === "more") await session.write(fault.bytes);
  } catch (error) {
    if (error instanceof TsqlError) {
      await out.add(tokens.errorToken(error));
      await out.add(await tsql.rollBack());
      await out.add(tokens.done(DONE.error, 0n, statement.values ? OF_PROCEDURE : undefined));
      await out.end();
    } else if (!(error instanceof Ended)) throw error;
    else if (session.isStopped) await out.flush();
  }
}

type Answering = { out: MessageWriter; statement: Statement; fault: AnswerFault | undefined };

function faultOf(session: AnsweringSession, sql: string): AnswerFault | undefined {
  const { answerFault: fault } = session.server;
  return fault && (fault.when === undefined || fault.when.test(sql)) ? fault : undefined;
}

async function sendBatch(
  session: AnsweringSession,
  tsql: TsqlSession,
  { out, statement, fault }: Answering,
): Promise<void> {
  const statements = splitBatch(statement.sql);
  for (const [i, one] of statements.entries()) {
    const more = i < statements.length - 1 ? DONE.more : 0;
    const { environment, result } = await evaluate(session, tsql, { ...statement, sql: one });
    if (environment) await out.add(environment);
    const rows = result ? await sendRows(session, result, { out, fault }) : undefined;
    if (fault?.kind === "second result" && result) await sendRows(session, result, { out, fault: undefined });
    if (fault?.kind === "no done") continue;
    await out.add(rows === undefined ? tokens.done(more) : tokens.done(more | DONE.count, rows));
  }
}

async function sendProcedure(session: AnsweringSession, tsql: TsqlSession, answering: Answering): Promise<void> {
  const { out, statement, fault } = answering;
  const { result } = await evaluate(session, tsql, statement);
  const rows = result ? await sendRows(session, result, { out, fault }) : 0n;
  await out.add(tokens.done(DONE.more | DONE.count, rows, IN_PROCEDURE));
  await out.add(tokens.returnStatus(0));
  if (fault?.kind !== "no done") await out.add(tokens.done(0, 0n, OF_PROCEDURE));
}

type Evaluated = { environment?: Buffer; result?: TsqlResult | undefined };

async function evaluate(session: AnsweringSession, tsql: TsqlSession, { sql, values }: Statement): Promise<Evaluated> {
  const prepared = session.server.answers.find(({ when }) => when.test(sql));
  if (prepared) return { result: { columns: prepared.columns, batches: prepared.batches(sql) } };
  return tsql.run(sql, values);
}

/** Sends columns and rows, and says how many rows there were. */
async function sendRows(
  session: AnsweringSession,
  { columns, batches }: TsqlResult,
  { out, fault }: Pick<Answering, "out" | "fault">,
): Promise<bigint> {
  await out.add(tokens.columnMetadata(columns));
  const encoders = columns.map(encoderOf);
  let count = 0;
  for await (const batch of batches) {
    if ("page" in batch) {
      await stopWhereAsked(session);
      await out.add(batch.page);
      count += batch.rows;
      continue;
    }
    for (const [i, row] of batch.entries()) {
      const encoded = rowToken(encoders, row as FakeValue[], count % 2 === 0);
      if (fault) await misbehave(session, fault, { out, row: count, encoded });
      const isDropped = fault?.kind === "drop" && fault.row === count;
      if (!isDropped) {
        const written = out.add(encoded);
        if (written) await written;
      }
      count++;
      if (i % 256 === 0) await stopWhereAsked(session);
    }
  }
  return BigInt(count);
}

async function stopWhereAsked(session: AnsweringSession): Promise<void> {
  if (session.isOver) throw new Ended();
  if (session.isStopped && session.server.answerFault?.kind !== "deaf") throw new Ended();
}

type RowSent = { out: MessageWriter; row: number; encoded: Buffer };

async function misbehave(session: AnsweringSession, fault: AnswerFault, { out, row, encoded }: RowSent): Promise<void> {
  if ("afterRows" in fault && fault.afterRows !== row) return;
  switch (fault.kind) {
    case "close":
      await out.flush();
      session.socket.end();
      throw new Ended();
    case "reset":
      await out.flush();
      session.socket.resetAndDestroy();
      throw new Ended();
    case "stall":
      await out.flush();
      await session.untilStopped();
      throw new Ended();
    case "error":
      throw new TsqlError(fault.error);
    case "repeat":
      if (row >= fault.fromRow) await out.add(encoded);
      return;
    case "bytes":
      await out.add(fault.bytes);
      return;
    case "cut":
      await out.add(encoded.subarray(fault.bytes));
  }
}
