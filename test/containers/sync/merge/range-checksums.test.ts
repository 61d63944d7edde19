// Whether keys may be gone at the source is seen by checksums of ranges of them, before any of the lake is fetched.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  checksumRanges,
  mayLackKeys,
  NO_CHECKSUMS,
  type RangeChecksums,
} from "../../../../containers/engine/jobs/sync/changes/range-checksums.ts";
import { ownDigest } from "../../../../containers/engine/extract/changes/key-checksum.ts";
import { column } from "../../../support/node/lake/test-lake.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => connection.closeSync());

const sums = async (...ids: number[]): Promise<RangeChecksums> =>
  ids.length === 0
    ? NO_CHECKSUMS
    : checksumRanges(
        connection,
        `FROM (SELECT unnest([${ids.join()}])::INTEGER AS id)`,
        [column(1, "id", "int32")],
        await ownDigest(connection),
      );

const BEFORE = [1, 2, 3, 1_000_000];

it.each<[what: string, now: number[], read: number[], may: boolean]>([
  ["nothing has changed", BEFORE, [], false],
  ["rows were updated", BEFORE, [2, 1_000_000], false],
  ["rows were added", [...BEFORE, 4, 1_000_001], [4, 1_000_001], false],
  ["rows of one range were updated, and some of another added", [...BEFORE, 1_000_001], [2, 1_000_001], false],
  ["a row was deleted", [1, 2, 1_000_000], [], true],
  ["the last row of a range was deleted", [1, 2, 3], [], true],
  ["a row was deleted and another added", [1, 2, 4, 1_000_000], [4], true],
  ["a row was added beside one that was updated", [...BEFORE, 4], [3, 4], true],
  ["all rows were deleted", [], [], true],
])("keys may be gone, or are not, where %s", async (_what, now, read, may) => {
  expect(mayLackKeys(await sums(...now), await sums(...BEFORE), await sums(...read))).toBe(may);
});
