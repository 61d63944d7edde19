// The pages of a Parquet file and its end, as they are laid out by hand where DuckDB does not write the file:
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift

import { constants, zstdCompressSync } from "node:zlib";
import { encodeStruct, type ThriftStruct } from "./thrift-compact.ts";

export const MAGIC: Buffer = Buffer.from("PAR1");

// Numbers of Parquet's enumerations.
export const BOOLEAN = 0,
  INT32 = 1,
  INT64 = 2,
  FLOAT = 4,
  DOUBLE = 5,
  BYTE_ARRAY = 6,
  FIXED_LEN_BYTE_ARRAY = 7;
export const REQUIRED = 0,
  OPTIONAL = 1,
  REPEATED = 2;
export const UTF8 = 0,
  MAP = 1,
  LIST = 3,
  DECIMAL = 5,
  DATE = 6,
  TIMESTAMP_MICROS = 10,
  UINT_32 = 13,
  UINT_64 = 14;
export const PLAIN = 0,
  RLE = 3,
  RLE_DICTIONARY = 8;
export const DATA_PAGE = 0,
  DICTIONARY_PAGE = 2;
export const ZSTD = 6;

/** The level that DuckDB's own files of the lake have. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** `rawSize`: its bytes, were it not compressed. */
export type Page = { bytes: Buffer; rawSize: number };

/** `header`: the members of the page's header that are its kind's own. */
export function pageOf(kind: number, values: Uint8Array, header: ThriftStruct): Page {
  const compressed = zstdCompressSync(values, COMPRESSION);
  const head = encodeStruct({ 1: kind, 2: values.length, 3: compressed.length, ...header });
  return { bytes: Buffer.concat([head, compressed]), rawSize: head.length + values.length };
}

/** Columns without levels have encodings of levels all the same. */
export const dataPage = (values: number, encoding: number): ThriftStruct => ({
  1: values,
  2: encoding,
  3: RLE,
  4: RLE,
});

/** The end of a file: readers begin here, so that a file which broke off is none to them. */
export const closingOf = (footer: Buffer): Buffer => Buffer.concat([footer, lengthOf(footer), MAGIC]);

export function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
}
