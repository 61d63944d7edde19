// A statement is sent, and its rows are packed as they arrive.

import type { SourceResult } from "../../connector.ts";
import { streamResult } from "../../../formats/pushed-result.ts";
import type { Statement } from "../connection/messages.ts";
import type { TdsWire } from "../connection/wire.ts";
import { describeColumns } from "./column-types.ts";
import { createRowPacker } from "./row-packer.ts";

/** Sends a statement. Rejects as {@link TdsWire.query} does, and as {@link streamResult}. */
export function sendStatement(wire: TdsWire, statement: Statement, signal: AbortSignal): Promise<SourceResult> {
  let pack: ReturnType<typeof createRowPacker>["pack"];
  return streamResult((arriving) =>
    wire.query(statement, signal, {
      columns(definitions) {
        pack = createRowPacker(definitions).pack;
        return arriving.columns(describeColumns(definitions));
      },
      row: (memory, from, scanned) => arriving.row(pack(memory, from, scanned)),
    }),
  );
}
