import fc from "fast-check";
import { expect, it } from "vitest";
import { FileSet } from "../../../../src/lake/plan/file-set.ts";

/** Near each other, at the edges of a word and of a block, and as large as ids get. */
const fileId = fc.oneof(
  fc.nat(100),
  fc.constantFrom(31, 32, 63, 65_535, 65_536, 131_071),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
);

it("has what was added and nothing else, and of two sets what both have", () => {
  fc.assert(
    fc.property(fc.array(fileId), fc.array(fileId), fc.array(fileId), (ones, others, asked) => {
      const [one, other] = [new FileSet(), new FileSet()];
      ones.forEach((id) => one.add(id));
      others.forEach((id) => other.add(id));
      const [inOne, inOther] = [new Set(ones), new Set(others)];
      const all = [...ones, ...others, ...asked];
      expect(one.size).toBe(inOne.size);
      expect(all.map((id) => one.has(id))).toEqual(all.map((id) => inOne.has(id)));
      one.keepOnly(other);
      const both = new Set([...inOne].filter((id) => inOther.has(id)));
      expect(one.size).toBe(both.size);
      expect(all.map((id) => one.has(id))).toEqual(all.map((id) => both.has(id)));
    }),
  );
});
