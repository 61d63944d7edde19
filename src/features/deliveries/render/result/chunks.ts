// The buffers of a record batch, column by column. That each is long enough for its rows is checked here; what offsets
// say is checked where a cell is read.

import type { ArrowField, ArrowType } from "./arrow-schema.ts";
import type { FlatTable } from "./flatbuffer.ts";
import { damaged, UnreadableResult } from "./unreadable.ts";

/** A column's part of a batch. */
export type Chunk = {
  field: ArrowField;
  length: number;
  /** Undefined where no value is NULL. */
  validity: Uint8Array | undefined;
  /** Offsets of a column of variable width: one more than there are rows. */
  offsets: DataView | undefined;
  values: DataView;
  children: Chunk[];
  /** The words that `values` are the numbers of. */
  dictionary: readonly Chunk[] | undefined;
};

/** `bytesMax`: the rows that may be claimed for a column that takes no bytes, and eight for each byte. */
type Known = { fields: readonly ArrowField[]; dictionaries: ReadonlyMap<bigint, readonly Chunk[]>; bytesMax: number };

const BATCH = { length: 0, nodes: 1, buffers: 2, compression: 3 } as const;
const NOTHING = new DataView(new ArrayBuffer(0));

export function readChunks(header: FlatTable, body: Uint8Array, known: Known): { length: number; chunks: Chunk[] } {
  if (header.table(BATCH.compression))
    throw new UnreadableResult("unsupported", "The result's batches are compressed.");
  const parts = new Parts(header, body, known);
  const length = parts.count(header.int64(BATCH.length));
  const chunks = known.fields.map((field) => parts.chunk(field));
  if (chunks.some((chunk) => chunk.length !== length)) throw damaged("its columns differ in length");
  return { length, chunks };
}

/** Takes nodes and buffers in their order: a column's own, then those of its children. */
class Parts {
  readonly #header: FlatTable;
  readonly #body: Uint8Array;
  readonly #known: Known;
  #node = 0;
  #buffer = 0;

  constructor(header: FlatTable, body: Uint8Array, known: Known) {
    this.#header = header;
    this.#body = body;
    this.#known = known;
  }

  chunk(field: ArrowField): Chunk {
    const type = field.dictionary?.indices ?? field.type;
    const [lengthSaid, nullCount] = this.#pair(BATCH.nodes, this.#node++);
    const length = this.count(lengthSaid);
    const validity = type.id === "null" ? undefined : this.#bytes();
    if (nullCount !== 0n && validity && validity.byteLength * 8 < length) throw damaged("marks of NULL are missing");
    const offsets = hasOffsets(type) ? this.#view(length === 0 ? 0 : (length + 1) * (type.isLarge ? 8 : 4)) : undefined;
    const values = hasValues(type) ? this.#view(valueBytes(type, length)) : NOTHING;
    const children = field.dictionary ? [] : field.children.map((child) => this.chunk(child));
    const childRows = type.id === "struct" ? length : type.id === "fixedList" ? length * type.size : 0;
    if (children.some((child) => child.length < childRows)) throw damaged(`parts of "${field.name}" are missing`);
    return {
      field,
      length,
      validity: nullCount === 0n ? undefined : validity,
      offsets,
      values,
      children,
      dictionary: field.dictionary && (this.#known.dictionaries.get(field.dictionary.id) ?? []),
    };
  }

  count(said: bigint): number {
    if (said < 0n || said > BigInt(this.#known.bytesMax) * 8n) throw damaged("it counts more rows than it holds");
    return Number(said);
  }

  #pair(slot: number, index: number): [bigint, bigint] {
    const pair = this.#header.longs(slot, index);
    if (!pair) throw damaged("a column is missing");
    return pair;
  }

  #bytes(): Uint8Array {
    const [offset, length] = this.#pair(BATCH.buffers, this.#buffer++);
    const size = BigInt(this.#body.length);
    if (offset < 0n || length < 0n || offset > size || length > size - offset) throw damaged("a column is cut off");
    return this.#body.subarray(Number(offset), Number(offset + length));
  }

  #view(bytesMin: number): DataView {
    const bytes = this.#bytes();
    if (bytes.length < bytesMin) throw damaged("a column is cut off");
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

const hasOffsets = (type: ArrowType): type is ArrowType & { isLarge: boolean } => "isLarge" in type;

const hasValues = ({ id }: ArrowType): boolean => !["null", "struct", "list", "map", "fixedList"].includes(id);

/** The bytes that so many values take; 0 where offsets say it. */
function valueBytes(type: ArrowType, length: number): number {
  switch (type.id) {
    case "boolean":
      return Math.ceil(length / 8);
    case "int":
    case "float":
    case "decimal":
    case "time":
      return (length * type.bits) / 8;
    case "fixedBinary":
      return length * type.bytes;
    case "date":
      return length * (type.isMillis ? 8 : 4);
    case "timestamp":
    case "duration":
      return length * 8;
    case "interval":
      return length * { months: 4, dayMillis: 8, monthDayNanos: 16 }[type.unit];
    default:
      return 0;
  }
}
