// Whole results as files, attached to messages or under an address of their own.

import { Problem } from "../../../core/problem.ts";
import { MESSAGE_LIMITS } from "../../messages/limits.ts";
import type { DeliveryFiles, DeliveryRow } from "../delivery.ts";
import { RENDER_BOUNDS } from "../render/bounds.ts";
import { writeCsv } from "../render/files/csv.ts";
import { writeParquet } from "../render/files/parquet.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export type WrittenFile = { name: string; mediaType: string; bytes: Uint8Array; contentId: string | null };

type Writer = { mediaType: string; write(table: ResultTable, bytesMax: number): Uint8Array };

const WRITERS: Record<DeliveryFiles["format"], Writer> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
  parquet: { mediaType: "application/vnd.apache.parquet", write: writeParquet },
};

/** What the file of a result is called, in a delivery that has files. */
export function nameFile({ source, name, files }: DeliveryRow, result: string): { name: string; mediaType: string } {
  const { format } = files!;
  const named = source.kind === "query" ? name : result;
  return { name: `${named}.${format}`, mediaType: WRITERS[format].mediaType };
}

type Written = { name: string; table: ResultTable; bytesMax?: number };

/** Throws an `UnreadableResult` where the file would grow past the bound. */
export const writeFile = (
  delivery: DeliveryRow,
  { name, table, bytesMax = RENDER_BOUNDS.fileBytesMax }: Written,
): WrittenFile => ({
  ...nameFile(delivery, name),
  bytes: WRITERS[delivery.files!.format].write(table, bytesMax),
  contentId: null,
});

export type FileGatherer = {
  all: readonly WrittenFile[];
  bytesLeft(): number;
  /** Throws the Problem of files that are more than one message carries. */
  add(file: WrittenFile): void;
};

/** The files and pictures of one message, in memory until all of it is known to be small enough. */
export function gatherFiles(): FileGatherer {
  const all: WrittenFile[] = [];
  let bytes = 0;
  const { fileBytesMax } = MESSAGE_LIMITS;
  return {
    all,
    bytesLeft: () => fileBytesMax - bytes,
    add(file) {
      bytes += file.bytes.length;
      if (bytes > fileBytesMax)
        throw new Problem(
          "validation_failed",
          `The files and pictures of a message may have ${fileBytesMax} bytes together, and with ${file.name} these ` +
            `have ${bytes}. Send links, or less.`,
        );
      all.push(file);
    },
  };
}
