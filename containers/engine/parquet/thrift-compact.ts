// Thrift's compact protocol, as far as Parquet's headers and footers need it:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

/** Values by their fields' numbers, which JavaScript keeps in ascending order. A field that is undefined is absent. */
export type ThriftStruct = { readonly [field: number]: ThriftValue | undefined };
/**
 * A number alone is an i32, a bigint an i64, a string UTF-8. A truth value is a field's. A list has values of one kind,
 * and an empty one is of structs. A struct may be given as {@link encodeStruct} made it.
 */
export type ThriftValue =
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | { list: readonly ThriftValue[] }
  | { encoded: Buffer }
  | ThriftStruct;

const TRUE = 1,
  FALSE = 2,
  I32 = 5,
  I64 = 6,
  BINARY = 8,
  LIST = 9,
  STRUCT = 12;

export const encodeStruct = (fields: ThriftStruct): Buffer => Buffer.concat([...fieldsOf(fields)]);

function* fieldsOf(fields: ThriftStruct): Generator<Buffer> {
  let before = 0;
  for (const [number, value] of Object.entries(fields) as [string, ThriftValue | undefined][]) {
    if (value === undefined) continue;
    const field = Number(number);
    const step = field - before;
    if (step < 1 || step > 15) throw new Error(`field ${field} can't follow field ${before}`);
    yield Buffer.of((step << 4) | kindOf(value));
    yield* valueOf(value);
    before = field;
  }
  yield Buffer.of(0);
}

function kindOf(value: ThriftValue): number {
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  if (typeof value === "number") return I32;
  if (typeof value === "bigint") return I64;
  if (typeof value === "string" || Buffer.isBuffer(value)) return BINARY;
  return "list" in value ? LIST : STRUCT;
}

function* valueOf(value: ThriftValue): Generator<Buffer> {
  // Its kind is all of it.
  if (typeof value === "boolean") return;
  if (typeof value === "number" || typeof value === "bigint") return yield varint(zigzag(BigInt(value)));
  if (typeof value === "string" || Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value as string);
    yield varint(BigInt(bytes.length));
    return yield bytes;
  }
  if ("encoded" in value) return yield value.encoded;
  if (!("list" in value)) return yield* fieldsOf(value);
  const { list } = value;
  const kind = list[0] === undefined ? STRUCT : kindOf(list[0]);
  if (list.length < 15) yield Buffer.of((list.length << 4) | kind);
  else yield Buffer.concat([Buffer.of(0xf0 | kind), varint(BigInt(list.length))]);
  for (const each of list) yield* valueOf(each);
}

const zigzag = (value: bigint): bigint => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));

/** Seven bits a byte, lowest first. */
export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return Buffer.of(...bytes, Number(value));
}
