// A client asks for a batch of statements, or for the procedure that takes one with its values.

import { PACKET, type Message } from "./packets.ts";

export type BoundCell = string | number | bigint | boolean | null;
export type Statement = { sql: string; values: Map<string, BoundCell> | undefined; transaction: Buffer };

const EXECUTE_SQL = 10;

export function readStatement({ type, body }: Message): Statement {
  const headersBytes = body.readUInt32LE(0);
  if (headersBytes !== 22 || body.readUInt16LE(8) !== 2)
    throw new Error("headers of another form than one transaction's");
  const transaction = Buffer.from(body.subarray(10, 18));
  if (type === PACKET.batch) return { sql: body.toString("utf16le", headersBytes), values: undefined, transaction };
  const reader = new ParameterReader(body, headersBytes);
  const { value: sql } = reader.next();
  const declared = reader.isAtEnd ? "" : String(reader.next().value);
  const values = new Map<string, BoundCell>();
  while (!reader.isAtEnd) {
    const { name, value } = reader.next();
    values.set(name, value);
  }
  const names = declared === "" ? [] : declared.split(", ").map((one) => one.split(" ")[0]!);
  if (names.join() !== [...values.keys()].join()) throw new Error("parameters that are not as they were declared");
  return { sql: String(sql), values, transaction };
}

class ParameterReader {
  readonly #body: Buffer;
  #at: number;

  constructor(body: Buffer, at: number) {
    this.#body = body;
    if (body.readUInt16LE(at) !== 0xffff || body.readUInt16LE(at + 2) !== EXECUTE_SQL)
      throw new Error("a procedure that is not known here");
    this.#at = at + 6;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#body.length;
  }

  next(): { name: string; value: BoundCell } {
    const name = this.#text(this.#u8() * 2);
    this.#u8();
    return { name, value: this.#value(this.#u8()) };
  }

  #value(type: number): BoundCell {
    if (type === 0xe7) return this.#nvarchar();
    this.#u8();
    const length = this.#u8();
    const start = this.#at;
    this.#at += length;
    if (length === 0) return null;
    if (type === 0x68) return this.#body[start] === 1;
    if (type === 0x26) return length === 8 ? this.#body.readBigInt64LE(start) : this.#body.readInt32LE(start);
    if (type === 0x6d) return this.#body.readDoubleLE(start);
    throw new Error(`a parameter of type ${type}`);
  }

  #nvarchar(): string | null {
    const max = this.#u16();
    this.#at += 5;
    if (max !== 0xffff) {
      const length = this.#u16();
      return length === 0xffff ? null : this.#text(length);
    }
    const total = Number(this.#body.readBigUInt64LE(this.#at));
    this.#at += 8;
    let text = "";
    for (;;) {
      const length = this.#body.readUInt32LE(this.#at);
      this.#at += 4;
      if (length === 0) break;
      text += this.#text(length);
    }
    if (text.length * 2 !== total) throw new Error("a text of another length than it was said to have");
    return text;
  }

  #u8(): number {
    return this.#body[this.#at++]!;
  }

  #u16(): number {
    this.#at += 2;
    return this.#body.readUInt16LE(this.#at - 2);
  }

  #text(bytes: number): string {
    this.#at += bytes;
    return this.#body.toString("utf16le", this.#at - bytes, this.#at);
  }
}
