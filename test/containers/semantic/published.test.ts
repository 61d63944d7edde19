// The cases that Cube publishes for its own drivers, with their data and rows, on a lake, PostgreSQL and MariaDB.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SemanticQuery } from "../../../kernel/semantic/query.ts";
import { ProofServers, QUERY } from "../../support/node/semantic/proof-servers.ts";
import { DIALECTS } from "../../support/node/semantic/proof-tables.ts";
import { CORRECTED_CASES } from "../../support/node/semantic/published/corrected-cases.ts";
import { PUBLISHED_TABLES } from "../../support/node/semantic/published/data.ts";
import { LEFT_OUT } from "../../support/node/semantic/published/left-out.ts";
import { LISTING_CASES } from "../../support/node/semantic/published/listing-cases.ts";
import { MEASURE_CASES } from "../../support/node/semantic/published/measure-cases.ts";
import { publishedModel } from "../../support/node/semantic/published/model.ts";
import { REFUSED_CASES } from "../../support/node/semantic/published/refused-cases.ts";
import { ROLLING_CASES } from "../../support/node/semantic/published/rolling-cases.ts";
import type { PublishedQuery } from "../../support/node/semantic/published/rows.ts";
import { differenceOf, keysOf } from "../../support/node/semantic/same-rows.ts";

const CASES = [...LISTING_CASES, ...MEASURE_CASES, ...ROLLING_CASES, ...CORRECTED_CASES];

let servers: ProofServers;
// The published order is that of the letters' codes.
beforeAll(async () => void (servers = await ProofServers.open(PUBLISHED_TABLES, "utf8mb4_bin")));
afterAll(() => servers?.close());

/** The query as the Worker sends it: dates padded to the ends of their days, a time ordered by that of its granules. */
function normalised(query: PublishedQuery): SemanticQuery {
  const times = query.timeDimensions ?? [];
  return SemanticQuery.parse({
    ...QUERY,
    ...query,
    timeDimensions: times.map(({ dateRange, ...time }) => ({
      ...time,
      ...(dateRange && { dateRange: [`${dateRange[0]}T00:00:00.000`, `${dateRange[1]}T23:59:59.999`] }),
    })),
    order: (query.order ?? []).map(([id, direction]) => ({ id, desc: direction === "desc" })),
  });
}

describe("the published cases", () => {
  it("are each run once, or left out with a reason", () => {
    const names = [...CASES, ...REFUSED_CASES].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name in LEFT_OUT)).toEqual([]);
    expect(names.length).toBe(84);
  });

  describe.each(DIALECTS)("on %s", (dialect) => {
    it.each(CASES)("give their rows: $name", async ({ query, rows, ordered, total }) => {
      const sent = normalised(query);
      const answer = await servers.ask(dialect, publishedModel(servers.schema), sent, total !== undefined);
      const keys = keysOf(sent);
      expect(differenceOf({ actual: answer.rows, expected: rows, keys }, dialect)).toBeUndefined();
      expect(answer.total).toBe(total);
      const keyOf = (row: Record<string, unknown>) => JSON.stringify(keys.map((key) => row[key]));
      if (ordered && keys.length > 0) expect(answer.rows.map(keyOf)).toEqual(rows.map(keyOf));
    });

    it.each(REFUSED_CASES)("are refused where their rows can't be true: $name", async ({ query, words }) => {
      await expect(servers.ask(dialect, publishedModel(servers.schema), normalised(query))).rejects.toThrow(words);
    });

    it("are not ordered by what they do not ask for, which would be dropped", async () => {
      const query = normalised({
        measures: ["ECommerce.count"],
        dimensions: ["ECommerce.city"],
        order: [["ECommerce.totalProfit", "desc"]],
      });
      await expect(servers.ask(dialect, publishedModel(servers.schema), query)).rejects.toThrow(/does not ask for/);
    });
  });
});
