// The messages of an Arrow IPC stream: a schema, then batches of rows and of dictionaries, then an end.

import { RENDER_BOUNDS } from "../bounds.ts";
import { type ArrowField, readSchema } from "./arrow-schema.ts";
import { type Chunk, readChunks } from "./chunks.ts";
import { FlatTable } from "./flatbuffer.ts";
import { damaged, UnreadableResult } from "./unreadable.ts";

export type Batch = { firstRow: number; rowCount: number; columns: Chunk[] };

export type ArrowStream = { fields: ArrowField[]; batches: Batch[]; rowCount: number };

const CONTINUATION = 0xffff_ffff;
const HEADER = { schema: 1, dictionary: 2, rows: 3 } as const;
/** Versions 4 and 5 of the metadata, as numbered in `Schema.fbs`. They differ in unions alone, which are refused. */
const VERSIONS = [3, 4];

/** A stream without its end was cut off. */
export function readArrowStream(bytes: Uint8Array): ArrowStream {
  let fields: ArrowField[] | undefined;
  const batches: Batch[] = [];
  const dictionaries = new Map<bigint, Chunk[]>();
  const encoded = new Map<bigint, ArrowField>();
  let rowCount = 0;
  for (const { kind, header, body } of messagesOf(bytes)) {
    if (kind === HEADER.schema) {
      if (fields) throw damaged("it has two schemas");
      fields = readSchema(header);
      noteDictionaries(fields, encoded);
      continue;
    }
    if (!fields) throw damaged("its rows come before its schema");
    if (kind === HEADER.dictionary) {
      readDictionary(header, body, { encoded, dictionaries });
      continue;
    }
    if (kind !== HEADER.rows) throw damaged("it has a message of another kind");
    const batch = readChunks(header, body, { fields, dictionaries, bytesMax: bytes.length });
    if (batch.length === 0) continue;
    batches.push({ firstRow: rowCount, rowCount: batch.length, columns: batch.chunks });
    rowCount += batch.length;
    if (rowCount > RENDER_BOUNDS.resultRowsMax)
      throw new UnreadableResult("too_large", `The result has more than ${RENDER_BOUNDS.resultRowsMax} rows.`);
  }
  if (!fields) throw damaged("it has no schema");
  return { fields, batches, rowCount };
}

type Message = { kind: number; header: FlatTable; body: Uint8Array };

function* messagesOf(bytes: Uint8Array): Generator<Message> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let count = 0; ; count++) {
    if (at + 8 > bytes.length) throw damaged("its end is missing");
    if (view.getUint32(at, true) !== CONTINUATION) throw damaged("it is no Arrow stream");
    const size = view.getInt32(at + 4, true);
    at += 8;
    if (size === 0) break;
    if (count > RENDER_BOUNDS.batchesMax)
      throw new UnreadableResult("too_large", `The result has more than ${RENDER_BOUNDS.batchesMax} batches.`);
    if (size < 0 || size > bytes.length - at) throw damaged("its end is missing");
    const message = FlatTable.root(new DataView(bytes.buffer, bytes.byteOffset + at, size));
    at += size;
    const bodyBytes = Number(message.int64(3));
    if (bodyBytes < 0 || bodyBytes > bytes.length - at) throw damaged("its end is missing");
    const header = message.table(2);
    if (!header || !VERSIONS.includes(message.int16(0))) throw damaged("it has a message of another version");
    yield { kind: message.uint8(1), header, body: bytes.subarray(at, at + bodyBytes) };
    at += bodyBytes;
  }
  if (at !== bytes.length) throw damaged("bytes follow its end");
}

type Known = { encoded: ReadonlyMap<bigint, ArrowField>; dictionaries: Map<bigint, Chunk[]> };

/** A dictionary is replaced as a whole, or grows by a delta, which leaves the words it had at their places. */
function readDictionary(header: FlatTable, body: Uint8Array, { encoded, dictionaries }: Known): void {
  const id = header.int64(0);
  const field = encoded.get(id);
  const rows = header.table(1);
  if (!field || !rows) throw damaged("it has words of no column");
  const values = { ...field, dictionary: undefined };
  const { chunks } = readChunks(rows, body, { fields: [values], dictionaries, bytesMax: body.length });
  const earlier = header.uint8(2) === 0 ? undefined : dictionaries.get(id);
  if (earlier) earlier.push(...chunks);
  else dictionaries.set(id, chunks);
  if ((earlier?.length ?? 0) > RENDER_BOUNDS.dictionaryPartsMax)
    throw new UnreadableResult("too_large", "The result sends one column's words in too many parts.");
}

function noteDictionaries(fields: readonly ArrowField[], encoded: Map<bigint, ArrowField>): void {
  for (const field of fields) {
    if (field.dictionary) encoded.set(field.dictionary.id, field);
    noteDictionaries(field.children, encoded);
  }
}
