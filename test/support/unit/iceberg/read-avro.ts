// Reads Avro object container files by their own schema: a second opinion on what the writer has written.

import { inflateRawSync } from "node:zlib";

/** What a file says: its header's texts, and its rows. Numbers are exact up to 2^53. */
// biome-ignore lint/suspicious/noExplicitAny: a test states the shapes
export type AvroFile = { header: Record<string, string>; rows: any[] };

type Type = string | readonly Type[] | { type: string; items?: Type; fields?: { name: string; type: Type }[] };

export function readAvro(bytes: Uint8Array): AvroFile {
  const file = new Reader(bytes);
  if (file.text(4) !== "Obj\u0001") throw new Error("This is no Avro file.");
  const header: Record<string, string> = {};
  for (let count = file.long(); count > 0; count = file.long())
    for (let i = 0; i < count; i++) {
      const key = file.text(file.long());
      header[key] = file.text(file.long());
    }
  const sync = file.text(16);
  const schema = JSON.parse(header["avro.schema"]!) as Type;
  const rows: unknown[] = [];
  while (!file.isAtEnd) {
    const count = file.long();
    // A slice of a Buffer is a Buffer, which is equal to no plain array of the same bytes.
    const block = new Reader(new Uint8Array(inflateRawSync(file.raw(file.long()))));
    for (let i = 0; i < count; i++) rows.push(readValue(block, schema));
    if (!block.isAtEnd || file.text(16) !== sync) throw new Error("A block has another length than it says.");
  }
  return { header, rows };
}

function readValue(from: Reader, type: Type): unknown {
  if (typeof type === "string") return readPrimitive(from, type);
  if (Array.isArray(type)) return readValue(from, type[from.long()]!);
  const { type: kind, items, fields = [] } = type as Exclude<Type, string | readonly Type[]>;
  if (kind === "record") return Object.fromEntries(fields.map((field) => [field.name, readValue(from, field.type)]));
  const list: unknown[] = [];
  for (let count = from.long(); count > 0; count = from.long())
    for (let i = 0; i < count; i++) list.push(readValue(from, items!));
  return list;
}

function readPrimitive(from: Reader, type: string): unknown {
  if (type === "null") return null;
  if (type === "boolean") return from.raw(1)[0] === 1;
  if (type === "int" || type === "long") return from.long();
  return type === "string" ? from.text(from.long()) : from.raw(from.long());
}

class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  long(): number {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.raw(1)[0]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number((value >> 1n) ^ -(value & 1n));
    }
  }

  text(length: number): string {
    return new TextDecoder().decode(this.raw(length));
  }

  raw(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new Error("The file ends too soon.");
    return this.#bytes.slice(this.#at, (this.#at += length));
  }
}
