// The engine's messages in TDS after the login: statements, with bound values or without, and the word to stop.

import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import { HEAD_BYTES } from "./packet-stream.ts";

const BATCH = 1;
const PROCEDURE = 3;
const ATTENTION = 6;
const END_OF_MESSAGE = 1;
const TRANSACTION_HEADER = 2;
const HEADERS_BYTES = 22;
/** The server's own procedure that takes a statement and what its parameters stand for. */
const EXECUTE_SQL = 10;
const UNITS_MAX = 4_000;
/** Latin1_General, which is only a name here: the values are UTF-16. */
const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);
const SPOKEN_FOR = 0xffff;

/** A statement, and what its parameters `@p1`, `@p2` … stand for; without `values` it is sent as it is. */
export type Statement = { sql: string; values?: readonly BoundValue[] | undefined };

/** `transaction` is the number the server gave the one that the statement is in. */
export const statementMessage = ({ sql, values }: Statement, transaction: Buffer, packetBytes: number): Buffer =>
  values
    ? toPackets(PROCEDURE, [headers(transaction), executeSql(sql, values)], packetBytes)
    : toPackets(BATCH, [headers(transaction), Buffer.from(sql, "utf16le")], packetBytes);

export const attentionMessage = (): Buffer => toPackets(ATTENTION, [], HEAD_BYTES);

function headers(transaction: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADERS_BYTES);
  bytes.writeUInt32LE(HEADERS_BYTES, 0);
  bytes.writeUInt32LE(HEADERS_BYTES - 4, 4);
  bytes.writeUInt16LE(TRANSACTION_HEADER, 8);
  transaction.copy(bytes, 10);
  bytes.writeUInt32LE(1, 18);
  return bytes;
}

function toPackets(type: number, parts: Buffer[], packetBytes: number): Buffer {
  const body = Buffer.concat(parts);
  const bodyBytes = Math.max(1, packetBytes - HEAD_BYTES);
  const packets: Buffer[] = [];
  let number = 0;
  let at = 0;
  do {
    const piece = body.subarray(at, at + bodyBytes);
    at += piece.length;
    const head = Buffer.alloc(HEAD_BYTES);
    head[0] = type;
    head[1] = at >= body.length ? END_OF_MESSAGE : 0;
    head.writeUInt16BE(HEAD_BYTES + piece.length, 2);
    head[6] = ++number & 0xff;
    packets.push(head, piece);
  } while (at < body.length);
  return Buffer.concat(packets);
}

function executeSql(sql: string, values: readonly BoundValue[]): Buffer {
  const parameters = values.map((value, i) => ({ name: `@p${i + 1}`, ...toParameter(value) }));
  const head = Buffer.alloc(6);
  head.writeUInt16LE(SPOKEN_FOR, 0);
  head.writeUInt16LE(EXECUTE_SQL, 2);
  const texts = [
    sql,
    ...(parameters.length > 0 ? [parameters.map(({ name, type }) => `${name} ${type}`).join(", ")] : []),
  ];
  return Buffer.concat([
    head,
    ...texts.flatMap((text) => [parameterHead(""), longText(text)]),
    ...parameters.flatMap(({ name, bytes }) => [parameterHead(name), bytes]),
  ]);
}

const parameterHead = (name: string): Buffer =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name, "utf16le"), Buffer.from([0])]);

/** A type in T-SQL's words, and the value with its type as TDS has it. */
function toParameter(value: BoundValue): { type: string; bytes: Buffer } {
  if (value === null) return { type: "nvarchar(1)", bytes: shortText(null, 1) };
  if (typeof value === "boolean") return { type: "bit", bytes: Buffer.from([0x68, 1, 1, value ? 1 : 0]) };
  if (typeof value === "string")
    return value.length > UNITS_MAX
      ? { type: "nvarchar(max)", bytes: longText(value) }
      : { type: `nvarchar(${UNITS_MAX})`, bytes: shortText(value, UNITS_MAX) };
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    const bytes = Buffer.from([0x26, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.writeBigInt64LE(BigInt(value), 3);
    return { type: "bigint", bytes };
  }
  const bytes = Buffer.from([0x6d, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeDoubleLE(value, 3);
  return { type: "float", bytes };
}

function textType(bytesMax: number): Buffer {
  const type = Buffer.alloc(3);
  type[0] = 0xe7;
  type.writeUInt16LE(bytesMax, 1);
  return Buffer.concat([type, COLLATION]);
}

function shortText(text: string | null, unitsMax: number): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text === null ? 0xffff : text.length * 2);
  return Buffer.concat([textType(unitsMax * 2), length, Buffer.from(text ?? "", "utf16le")]);
}

/** Writes a text of any length: in one chunk, which an empty one ends. */
function longText(text: string): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(bytes.length));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  const chunk = bytes.length > 0 ? [length, bytes] : [];
  return Buffer.concat([textType(0xffff), head, ...chunk, Buffer.alloc(4)]);
}
