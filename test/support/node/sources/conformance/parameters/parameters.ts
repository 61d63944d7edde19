// Values that callers bind to the names in a statement. `hostile-parameters.ts` has those that look like SQL.

import { beforeAll, describe, expect, it } from "vitest";
import { askBound, parametersOf } from "../asking.ts";
import { describeHostileParameters } from "./hostile-parameters.ts";
import type { SourceUnderTest, TestTable } from "../source-under-test.ts";

const TABLE: TestTable = {
  name: "parameters",
  columns: { id: "bigint", t: "text", d: "date", ts: "timestamp", n: "decimal", f: "double" },
  key: ["id"],
};
const ROWS = [
  ["1", "it's", "2026-01-31", "2026-01-31 10:00:00.25", "1.5000", "0.25"],
  ["2", "$t", "2026-02-01", "2026-02-01 00:00:00", "-2.2500", "-1.5"],
  ["9007199254740993", "", "1999-12-31", "1999-12-31 23:59:59.999999", "0.0001", "1e+100"],
  ["4", null, null, null, null, null],
];

export function describeParameters(place: () => SourceUnderTest): void {
  describe("parameters", () => {
    beforeAll(async () => {
      await place().create(TABLE);
      await place().insert(TABLE, ROWS);
    });

    const idsWhere = async (condition: string, raw: Record<string, unknown>): Promise<(string | null)[]> => {
      const sql = `SELECT id FROM ${place().table(TABLE.name)} WHERE ${condition} ORDER BY id`;
      return (await askBound(place().source, sql, parametersOf(raw))).rows.map(([id]) => id!);
    };

    it("are compared as what they are said to be", async () => {
      const { source, table } = place();
      expect(await idsWhere("t = $t", { t: "it's" })).toEqual(["1"]);
      expect(await idsWhere("t = $t", { t: { type: "text", value: "$t" } })).toEqual(["2"]);
      expect(await idsWhere("id = $id", { id: 2 })).toEqual(["2"]);
      expect(await idsWhere("id >= $id", { id: { type: "integer", value: "9007199254740993" } })).toEqual([
        "9007199254740993",
      ]);
      expect(await idsWhere("d = $day", { day: { type: "date", value: "2026-02-01" } })).toEqual(["2"]);
      const moment = { type: "timestamp", value: "2026-01-31T10:00:00.25" };
      expect(await idsWhere("ts = $moment", { moment })).toEqual(["1"]);
      expect(await idsWhere("n = $n", { n: { type: "decimal", value: "-2.25" } })).toEqual(["2"]);
      expect(await idsWhere("f = $f AND n > $n", { f: 0.25, n: 1 })).toEqual(["1"]);
      expect(await idsWhere("f < $f", { f: { type: "number", value: 0 } })).toEqual(["2"]);
      expect(await idsWhere("$is = $is AND id = 4", { is: true })).toEqual(["4"]);
      expect(await idsWhere("t = $t", { t: null })).toEqual([]);
      const none = await askBound(
        source,
        `SELECT $a AS a, $b AS b FROM ${table(TABLE.name)} WHERE id = 1`,
        parametersOf({ a: { type: "date", value: null }, b: { type: "decimal", value: null } }),
      );
      expect(none.rows).toEqual([[null, null]]);
    });

    it("are lists where a list is", async () => {
      expect(await idsWhere("id IN ($ids)", { ids: [1, 4, 5] })).toEqual(["1", "4"]);
      expect(await idsWhere("t NOT IN ($texts)", { texts: ["it's", "no"] })).toEqual(["2", "9007199254740993"]);
      const days = { type: "date", value: ["2026-01-31", "2026-02-01"] };
      expect(await idsWhere("d IN ($days) AND id IN ($ids)", { days, ids: [2, 4] })).toEqual(["2"]);
      expect(await idsWhere("id IN ($ids)", { ids: { type: "integer", value: [] } })).toEqual([]);
      expect(await idsWhere("id NOT IN ($ids)", { ids: { type: "integer", value: [] } })).toHaveLength(4);
    });

    it("have no name within quotes and comments", async () => {
      const sql = "SELECT '$no' AS a, $yes AS b /* $no */ -- $no\n, $yes AS c";
      const { rows } = await askBound(place().source, sql, parametersOf({ yes: { type: "text", value: "x" } }));
      expect(rows).toEqual([["$no", "x", "x"]]);
    });

    describeHostileParameters(place);

    it("are each asked for by name", async () => {
      const asking = askBound(place().source, "SELECT $one AS a, $two AS b", parametersOf({ one: 1, three: 3 }));
      await expect(asking).rejects.toMatchObject({
        code: "statement_refused",
        message:
          "The statement has no value for $two: send it in parameters. The statement does not name $three, which " +
          "parameters has.",
        position: 19,
      });
    });
  });
}
