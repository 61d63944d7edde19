// A packed row's cells as strings.

import type { Row } from "../../../formats/result.ts";
import type { TextRow } from "../../row-collector.ts";

export function readCells({ bytes, starts, ends }: Row): TextRow {
  const text = bytes as Buffer;
  return Array.from(starts, (start, i) => (ends[i]! < 0 ? null : text.toString("utf8", start, ends[i]!)));
}
