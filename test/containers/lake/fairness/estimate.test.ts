// Which statements are taken for long from the bytes of the drive's files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { estimate } from "../../../../containers/engine/lake/read/estimate-class.ts";
import type { Lake } from "../../../../containers/engine/lake/read/lake.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import type { OpenPlan } from "../../../../containers/engine/lake/sql/relations.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";

const MIB = 1024 * 1024;
const SMALL = "gs://bucket/team/drive/small.csv";
const LARGE = "gs://bucket/team/drive/large.csv";

let lake: TestLake;
beforeAll(async () => {
  lake = await TestLake.open();
  const drive = join(lake.platform.directory, "drive");
  mkdirSync(drive, { recursive: true });
  const line = `1,${"x".repeat(1021)}\n`;
  writeFileSync(join(drive, "small.csv"), `id,text\n${line.repeat(3)}`);
  writeFileSync(join(drive, "large.csv"), `id,text\n${line.repeat(17 * 1024)}`);
});
afterAll(() => lake.close());

/** The classes of the processes that `work`'s statements were given, each once. */
async function classesOf({ pool }: Lake, work: () => Promise<unknown>): Promise<string[]> {
  const use = vi.spyOn(pool, "withDatabase");
  onTestFinished(() => use.mockRestore());
  await work();
  const classes = use.mock.calls.map(([{ statementClass }]) => statementClass);
  use.mockRestore();
  return [...new Set(classes)];
}

describe("the drive's files", () => {
  it("count as a whole, beside the columns of tables that are read", () => {
    const tables = [{ columns: [column(1, "a", "int64"), column(2, "b", "int64")], view: "whole" } as LakeTable];
    const plans = [{ files: [{ bytes: 10 * MIB }] }] as OpenPlan[];
    const opened = [{ tables, plans }];
    const join = (driveBytes: number) => estimate("SELECT sum(a) FROM t, 'x.csv'", opened, driveBytes).statementClass;
    expect([join(11 * MIB), join(12 * MIB)]).toEqual(["short", "long"]);
    const alone = (driveBytes: number) => estimate("SELECT 1 FROM 'x.csv'", [], driveBytes).statementClass;
    expect([alone(16 * MIB), alone(16 * MIB + 1)]).toEqual(["short", "long"]);
  });

  it("make a statement long that reads many bytes of them", async () => {
    const count = (uri: string) => classesOf(lake.lake, () => lake.rows(`SELECT count(*) FROM '${uri}'`));
    expect(await count(SMALL)).toEqual(["short"]);
    expect(await count(LARGE)).toEqual(["long"]);
  });

  it("make a statement long that writes what many bytes of them hold", async () => {
    const written = await WriteLake.open();
    onTestFinished(() => written.close());
    const bytesOf: Record<string, number> = { [SMALL]: 3 * 1024, [LARGE]: 17 * MIB };
    vi.spyOn(written.lake.drive, "fetch").mockImplementation(async (body, references) => ({
      body: references.reduce((text, { uri }) => text.replace(`'${uri}'`, "range(3)"), body),
      paths: [],
      bytes: references.reduce((sum, { uri }) => sum + bytesOf[uri]!, 0),
      rewriteError: (error) => error,
      release: () => undefined,
    }));
    const write = (name: string, uri: string) =>
      classesOf(written.lake, () => written.ask(`CREATE TABLE ${name} AS SELECT * FROM '${uri}'`));
    expect(await write("few", SMALL)).toEqual(["short"]);
    expect(await write("many", LARGE)).toEqual(["long"]);
  });
});
