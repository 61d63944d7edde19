import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { folderOf, lakePrefix, tableFolder, uploadedName, uploadPath } from "../../../../src/lake/format/names.ts";

const anyName = fc.string({ unit: "binary", minLength: 1, maxLength: 255 });

describe("the folder of a name", () => {
  it.each([
    ["orders", "orders/"],
    ["Orders_2024-Q1", "orders_2024-q1/"],
  ])("%s is %s", (name, folder) => expect(folderOf(name)).toBe(folder));

  it("is one safe segment of a key, whatever the name", () => {
    fc.assert(fc.property(anyName, (name) => /^[a-z0-9_-]{1,100}\/$/.test(folderOf(name))));
    for (const name of ["..", ".", "/", "a/b", "", "%2e", "\\"])
      expect(folderOf(name)).toMatch(/^-[a-z0-9_-]{1,60}\/$/);
  });

  it("is the same for names that are the same", () => {
    fc.assert(fc.property(anyName, (name) => folderOf(name) === folderOf(foldName(name))));
  });
});

describe("the path of an upload", () => {
  it("is recognised for its own job and table, and for no other", () => {
    const [mine, other] = [newId(), newId()];
    fc.assert(
      fc.property(anyName, anyName, (schema, table) => {
        const path = uploadPath(mine, tableFolder(schema, table), newId());
        const tablePath = tableFolder(schema, table);
        expect(tablePath + uploadedName(mine, tablePath, path)).toBe(path);
        expect(uploadedName(other, tablePath, path)).toBeUndefined();
        expect(uploadedName(mine, `${tablePath}x/`, path)).toBeUndefined();
      }),
    );
  });

  it("with its lake's prefix fits a key of the bucket", () => {
    fc.assert(
      fc.property(
        anyName,
        anyName,
        (schema, table) =>
          (lakePrefix(newId(), newId()) + uploadPath(newId(), tableFolder(schema, table), newId())).length <= 1_024,
      ),
    );
  });
});
