// Bytes of a result on their way to frames.

import { FRAME_BYTES_MAX } from "../frames.ts";
import type { ResultTaker } from "./described-statement.ts";

/** Sends bytes that end with a row, as frames. */
export async function sendCut(bytes: Uint8Array, take: ResultTaker): Promise<void> {
  for (let from = 0; from < bytes.length; from += FRAME_BYTES_MAX)
    await take.data(bytes.subarray(from, from + FRAME_BYTES_MAX), from + FRAME_BYTES_MAX >= bytes.length);
}
