// A result as an Arrow stream.

import { createTextRow } from "../../../../formats/text-row.ts";
import { createWriter } from "../../../../formats/writers.ts";
import { FRAME_BYTES_MAX } from "../../messages.ts";
import type { DescribedStatement, ResultTaker } from "../described-statement.ts";
import { sendCut } from "../pieces.ts";
import { streamTexts } from "../texts.ts";

export async function streamArrow(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const { shape, order } = statement;
  const writer = createWriter({
    columns: shape.columns,
    result: { ...order.result, format: "arrow" },
    requestId: order.requestId,
  });
  const pack = createTextRow(shape.columns.length);
  await streamTexts(statement, take, {
    row: (cells) => writer.write(pack(cells)),
    flush: async () => {
      if (writer.pending >= FRAME_BYTES_MAX) await sendCut(writer.take(), take);
    },
  });
  await sendCut(writer.end({ durationMs: 0 }), take);
  return { truncated: false };
}
