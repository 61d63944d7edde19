// Writes Avro object container files. The schema drives the encoding, and equal input gives equal bytes.
// https://avro.apache.org/docs/1.12.0/specification/#object-container-files

import { deflateRawSync } from "node:zlib";

/** `"field-id"` and `"element-id"` are Iceberg's, which finds fields by them. */
export type AvroType =
  | "null"
  | "boolean"
  | "int"
  | "long"
  | "string"
  | "bytes"
  | readonly ["null", AvroType]
  | { type: "array"; items: AvroType; logicalType?: "map"; "element-id"?: number }
  | AvroRecord;
export type AvroRecord = { type: "record"; name: string; fields: readonly AvroField[] };
export type AvroField = { name: string; type: AvroType; "field-id": number; default?: null };

/** A field that is left out of a record is null. */
export type AvroValue =
  | null
  | undefined
  | boolean
  | number
  | string
  | Uint8Array
  | readonly AvroValue[]
  | { readonly [field: string]: AvroValue };

/** Between blocks. Random bytes would make two files of equal content differ. */
const SYNC = new TextEncoder().encode("fjord-iceberg-01");
const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 1);

/** A file of one compressed block. `metadata` are further texts of the file's header. */
export function encodeAvroFile(
  schema: AvroRecord,
  metadata: Readonly<Record<string, string>>,
  rows: readonly AvroValue[],
): Uint8Array {
  const file = new ByteWriter();
  file.raw(MAGIC);
  const header = { "avro.schema": JSON.stringify(schema), "avro.codec": "deflate", ...metadata };
  file.long(Object.keys(header).length);
  for (const [key, value] of Object.entries(header)) {
    file.text(key);
    file.text(value);
  }
  file.long(0);
  file.raw(SYNC);
  if (rows.length > 0) {
    const block = new ByteWriter();
    for (const row of rows) writeValue(block, schema, row);
    file.long(rows.length);
    file.bytes(deflateRawSync(block.written()));
    file.raw(SYNC);
  }
  return file.written().slice();
}

class ByteWriter {
  #buffer = new Uint8Array(64 * 1024);
  #length = 0;

  /** Zigzag and base 128. Whole numbers beyond 2^52 have no exact zigzag in a JavaScript number. */
  long(value: number): void {
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 52) throw new Error(`${value} is no Avro long.`);
    this.#reserve(10);
    let left = value < 0 ? -2 * value - 1 : 2 * value;
    for (; left >= 128; left = Math.floor(left / 128)) this.#buffer[this.#length++] = (left % 128) | 128;
    this.#buffer[this.#length++] = left;
  }

  boolean(value: boolean): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = Number(value);
  }

  bytes(value: Uint8Array): void {
    this.long(value.length);
    this.raw(value);
  }

  text(value: string): void {
    this.bytes(new TextEncoder().encode(value));
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  written(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + bytes));
    larger.set(this.written());
    this.#buffer = larger;
  }
}

function writeValue(out: ByteWriter, type: AvroType, value: AvroValue): void {
  if (typeof type === "string") return writePrimitive(out, type, value);
  if ("length" in type) {
    const isNull = value === null || value === undefined;
    out.long(isNull ? 0 : 1);
    if (!isNull) writeValue(out, type[1], value);
  } else if (type.type === "array") {
    const items = value as readonly AvroValue[];
    if (items.length > 0) out.long(items.length);
    for (const item of items) writeValue(out, type.items, item);
    out.long(0);
  } else {
    const record = value as { readonly [field: string]: AvroValue };
    for (const field of type.fields) writeValue(out, field.type, record[field.name]);
  }
}

const PRIMITIVES: Record<Extract<AvroType, string>, (out: ByteWriter, value: AvroValue) => void> = {
  null: () => undefined,
  boolean: (out, value) => out.boolean(value as boolean),
  int: (out, value) => out.long(value as number),
  long: (out, value) => out.long(value as number),
  string: (out, value) => out.text(value as string),
  bytes: (out, value) => out.bytes(value as Uint8Array),
};

const writePrimitive = (out: ByteWriter, type: keyof typeof PRIMITIVES, value: AvroValue): void =>
  PRIMITIVES[type](out, value);
