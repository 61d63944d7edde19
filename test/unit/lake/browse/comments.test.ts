import { describe, expect, it } from "vitest";
import { valueOf } from "../../../../src/core/answer.ts";
import { newId } from "../../../../src/core/ids.ts";
import { column, createTable, newLake, newWriter } from "../../../support/unit/lake.ts";
import { grantOf } from "../access/reading.ts";

/** `main.orders` and `hr.people`, each with a comment of its own and on two of its columns; one comment is gone. */
async function newComments() {
  const lake = newLake();
  const writer = await newWriter(lake);
  for (const [schema, name] of [
    ["main", "orders"],
    ["hr", "people"],
  ] as const) {
    valueOf(await writer.commit([createTable(schema, name, [column(1, "id"), column(2, "note"), column(3, "gone")])]));
    const comments = [null, 1, 2, 3].map((columnId) => ({ columnId, comment: `${name} ${columnId}` }));
    valueOf(await writer.commit([{ kind: "set_comments", schema, name, comments }]));
    const removed = [{ columnId: 3, comment: null }];
    valueOf(await writer.commit([{ kind: "set_comments", schema, name, comments: removed }]));
  }
  return lake;
}

describe("the comments of a lake", () => {
  it("are those that are set, of all tables and columns, up to a bound", async () => {
    const { catalog } = await newComments();
    const { tables, columns } = valueOf(await catalog.browseComments(10, "everything"));
    expect(tables.map(({ comment }) => comment).sort()).toEqual(["orders null", "people null"]);
    expect(columns.map(({ name, comment }) => `${name}: ${comment}`)).toEqual([
      "id: orders 1",
      "note: orders 2",
      "id: people 1",
      "note: people 2",
    ]);
    const few = valueOf(await catalog.browseComments(1, "everything"));
    expect([few.tables.length, few.columns.length]).toEqual([1, 1]);
  });

  it("are told of what the reader's roles show whole", async () => {
    const { catalog } = await newComments();
    const digest = newId();
    await catalog.keepAccess(digest, [[{ ...grantOf("main", "orders"), masks: { note: null } }]]);
    const { tables, columns } = valueOf(await catalog.browseComments(10, digest));
    expect(tables).toEqual([]);
    expect(columns.map(({ comment }) => comment)).toEqual(["orders 1"]);
    const whole = newId();
    await catalog.keepAccess(whole, [[grantOf("main", "orders")]]);
    expect(valueOf(await catalog.browseComments(10, whole)).tables.map(({ comment }) => comment)).toEqual([
      "orders null",
    ]);
  });
});
