// Large results: they stream in bounded memory, end where they are cancelled, and break in words.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { extractInto } from "../../../../../containers/engine/extract/extract-table.ts";
import { ExtractionBench, never } from "../extraction.ts";
import { cellsOf, failureOf, read } from "./asking.ts";
import type { SourceUnderTest } from "./source-under-test.ts";

/** Rounded to tens, since the rows' last digits are summed. More of them show the same and take longer. */
const ROWS = Math.round(Number(process.env["CONFORMANCE_ROWS"] ?? 4_000_000) / 10) * 10;
/** What may be added while they are read: of all rows at once it would be twice that and more. */
const MEMORY_MAX = 400 * 1024 * 1024;
/** So many rows, for every kind of source, that a part of them has come where a fault begins, and a part has not. */
export const FAULTY_ROWS = 100_000;
/** After it, a stalled source has been waited for long enough. */
const STALL_MS = 2_000;

export function describeResults(place: () => SourceUnderTest): void {
  describe("results", () => {
    let bench: ExtractionBench;
    beforeAll(async () => {
      bench = await ExtractionBench.open();
      await place().createGenerated("many", ROWS);
    });
    afterEach(() => place().heal());
    afterAll(() => bench.close());

    const isQuiet = async () => {
      await expect.poll(() => place().running(), { timeout: 20_000, interval: 25 }).toBe(0);
      await expect.poll(() => place().connections(), { timeout: 20_000, interval: 25 }).toBe(0);
    };

    it("of millions of rows come whole, in bounded memory", async () => {
      const { source, generate } = place();
      let rows = 0;
      let sum = 0;
      const memory = watchMemory();
      await read(source, generate(ROWS), never(), (row) => {
        rows++;
        // The sum is of the first cell's last digit: a row that is lost or doubled shows in it.
        sum += row.bytes[row.ends[0]! - 1]! - 0x30;
        return true;
      });
      expect(memory.stop()).toBeLessThan(MEMORY_MAX);
      expect([rows, sum]).toEqual([ROWS, (ROWS / 10) * 45]);
      await isQuiet();
    }, 600_000);

    it("end at the source where a query is cancelled in the middle", async () => {
      const { source, generate, running } = place();
      const controller = new AbortController();
      let rows = 0;
      const reading = read(source, generate(ROWS), controller.signal, async () => {
        if (++rows !== 5_000) return true;
        expect(await running()).toBe(1);
        controller.abort(new Error("no more of this"));
        return true;
      });
      await expect(reading).rejects.toThrow("no more of this");
      await isQuiet();
    });

    it("end at the source where whoever reads wants no more of them", async () => {
      const { source, generate } = place();
      const found: (string | null)[][] = [];
      await read(source, generate(ROWS), never(), (row) => found.push(cellsOf(row)) < 3);
      expect(found).toEqual([1, 2, 3].map((i) => [String(i), `row ${i}`]));
      await isQuiet();
    });

    it("end at the source where an extraction is cancelled in the middle, and leave nothing", async () => {
      const { source, schema } = place();
      const controller = new AbortController();
      const snapshot = await bench.snapshot(source);
      try {
        const table = await snapshot.describe({ schema, name: "many" }, never());
        const reading = extractInto("cancelled", {
          snapshot,
          table,
          staging: bench.staging,
          signal: controller.signal,
          onProgress: (rows) => rows > 20_000 && controller.abort(new Error("no more of this")),
        });
        await expect(reading).rejects.toThrow("no more of this");
        await expect.poll(() => place().running(), { timeout: 20_000, interval: 25 }).toBe(0);
        const connection = await bench.staging.connect();
        await expect(connection.run("FROM cancelled")).rejects.toThrow(/does not exist/);
        connection.closeSync();
      } finally {
        await snapshot.close();
      }
      await isQuiet();
    });

    it("that break in the middle are an error in words, whatever breaks, and the next is whole", async () => {
      const { source, generate, faults, heal } = place();
      for (const [fault, begin] of Object.entries(faults)) {
        begin();
        let rows = 0;
        const failure = await failureOf(
          read(source, generate(FAULTY_ROWS), AbortSignal.timeout(fault === "stalls" ? STALL_MS : 60_000), () => {
            rows++;
            return true;
          }),
        );
        expect(rows, fault).toBeLessThan(FAULTY_ROWS);
        if (fault !== "stalls") expect(failure, `${fault}: ${failure.message}`).not.toMatchObject({ code: "internal" });
        heal();
        await isQuiet();
        rows = 0;
        await read(source, generate(FAULTY_ROWS), never(), () => ++rows > 0);
        expect(rows, fault).toBe(FAULTY_ROWS);
      }
      await isQuiet();
    });
  });
}

/** How much more this process holds at most than when it began, of what is collected and of buffers. */
function watchMemory(): { stop(): number } {
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let most = 0;
  const timer = setInterval(() => void (most = Math.max(most, held() - before)), 50);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
