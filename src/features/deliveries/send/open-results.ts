// Results as they are needed, one at a time: an isolate has 128 MB for all the requests that it serves.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { DELIVERY_LIMITS } from "../limits.ts";
import { readResult } from "../render/result/read-result.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { UnreadableResult } from "../render/result/unreadable.ts";
import type { StoredResult } from "./results.ts";

const { deliveryResultBytesMax: bytesMax, deliveryResultsBytesMax: allMax, deliveryResultsMax } = DELIVERY_LIMITS;

export type OpenResults = {
  /** Throws the Problem of results of which one is missing, or that are too many or too large. Nothing is read. */
  requireReadable(names: readonly string[]): void;
  /** Lets go of the result that was open before. Throws the Problem of one that is missing, too large or no table. */
  open(name: string): Promise<ResultTable>;
  /** Lets go of the result that is open. */
  close(): void;
};

export function openResults({ bucket }: Needs<"bucket">, stored: readonly StoredResult[]): OpenResults {
  let held: { name: string; table: ResultTable } | undefined;

  const find = (name: string): StoredResult => {
    const result = stored.find((one) => one.name === name);
    if (!result) throw unsendable(`The dataset ${name} has no result.`);
    return result;
  };

  return {
    requireReadable(names) {
      if (names.length > deliveryResultsMax) throw unsendable(`It has more than ${deliveryResultsMax} results.`);
      const bytes = names.map((name) => requireBytes(find(name)));
      const all = bytes.reduce((sum, each) => sum + each, 0);
      if (all > allMax) throw tooLarge(`these have ${all} bytes`);
    },

    async open(name) {
      if (held?.name !== name) {
        held = undefined;
        held = { name, table: readTable(name, await readStored({ bucket }, find(name))) };
      }
      return held.table;
    },

    close: () => void (held = undefined),
  };
}

const unsendable = (message: string): Problem => new Problem("validation_failed", message);

const tooLarge = (what: string): Problem =>
  unsendable(
    `A delivery reads ${bytesMax / 1024 ** 2} MiB of one result and ${allMax / 1024 ** 2} MiB in all, as Arrow; ` +
      `${what}. Aggregate, or limit the rows.`,
  );

function requireBytes({ name, bytes }: StoredResult): number {
  if (bytes > bytesMax) throw tooLarge(`${name} has ${bytes} bytes`);
  return bytes;
}

async function readStored({ bucket }: Needs<"bucket">, result: StoredResult): Promise<Uint8Array> {
  const { name, at } = result;
  if ("unsendable" in at) throw unsendable(`The dataset ${name} ${at.unsendable}`);
  requireBytes(result);
  const object = await bucket.read(at.key);
  if (!object) throw new Problem("resource_not_found", `The result ${name} is not kept any more.`);
  if (object.size > bytesMax) {
    await object.body.cancel();
    throw tooLarge(`${name} has ${object.size} bytes`);
  }
  // Into its place at once: to gather its pieces first would hold it twice.
  const bytes = new Uint8Array(object.size);
  let filled = 0;
  for await (const piece of object.body as ReadableStream<Uint8Array>) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes;
}

/** What is wrong with the stream itself names the result. */
function readTable(name: string, bytes: Uint8Array): ResultTable {
  try {
    return readResult(bytes);
  } catch (error) {
    if (error instanceof UnreadableResult) throw unsendable(`The result ${name} can't be read. ${error.message}`);
    throw error;
  }
}
