// The parts of a server's answer in TDS 7.4.

import type { FakeColumn } from "./column-types.ts";
import { typeInfo } from "./column-types.ts";

export const DONE = { more: 1, error: 2, inTransaction: 4, count: 0x10, attention: 0x20 } as const;

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer);
const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "utf16le")]);
const longText = (text: string): Buffer => Buffer.concat([u16(text.length), Buffer.from(text, "utf16le")]);
const sized = (token: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([token]), u16(body.length), body]);

export function done(status: number, rows = 0n, token = 0xfd): Buffer {
  const bytes = Buffer.alloc(13);
  bytes[0] = token;
  bytes.writeUInt16LE(status, 1);
  bytes.writeUInt16LE(0xc1, 3);
  bytes.writeBigUInt64LE(rows, 5);
  return bytes;
}

export const returnStatus = (value: number): Buffer => Buffer.concat([Buffer.from([0x79]), u32(value)]);

export type ServerError = { number: number; message: string; state?: number; severity?: number; line?: number };

export const errorToken = (
  { number, message, state = 1, severity = 16, line = 1 }: ServerError,
  token = 0xaa,
): Buffer =>
  sized(
    token,
    Buffer.concat([
      u32(number),
      Buffer.from([state, severity]),
      longText(message),
      shortText("FAKE"),
      shortText(""),
      u32(line),
    ]),
  );

export const infoToken = (message: string): Buffer => errorToken({ number: 5701, message, severity: 0 }, 0xab);

export const loginAck = (): Buffer =>
  sized(
    0xad,
    Buffer.concat([
      Buffer.from([1, 0x74, 0x00, 0x00, 0x04]),
      shortText("Microsoft SQL Server"),
      Buffer.from([16, 0, 0x10, 0x13]),
    ]),
  );

const environment = (kind: number, ...values: Buffer[]): Buffer =>
  sized(0xe3, Buffer.concat([Buffer.from([kind]), ...values]));

export const databaseChange = (to: string): Buffer => environment(1, shortText(to), shortText("master"));
export const packetSizeChange = (bytes: number): Buffer => environment(4, shortText(String(bytes)), shortText("4096"));

const bytesValue = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);
const NONE = Buffer.alloc(0);
export const transactionBegun = (number: Buffer): Buffer => environment(8, bytesValue(number), bytesValue(NONE));
export const transactionOver = (kind: 9 | 10, number: Buffer): Buffer =>
  environment(kind, bytesValue(NONE), bytesValue(number));

export const routing = (host: string, port: number): Buffer => {
  const value = Buffer.concat([Buffer.from([0]), u16(port), longText(host)]);
  return environment(20, u16(value.length), value, u16(0));
};

export const columnMetadata = (columns: readonly FakeColumn[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x81]),
    u16(columns.length),
    ...columns.flatMap((column) => [u32(column.userType ?? 0), u16(0x09), typeInfo(column), shortText(column.name)]),
  ]);
