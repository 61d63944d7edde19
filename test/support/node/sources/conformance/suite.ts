// Every kind of source has to pass this suite: `test/containers/sources/conformance/` has a file for each kind.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeAccess } from "./access.ts";
import { failureOf, ask, secretsFound } from "./asking.ts";
import { describeParameters } from "./parameters/parameters.ts";
import { describeResults } from "./results.ts";
import type { SourceUnderTest } from "./source-under-test.ts";
import { describeSyncs } from "./syncs.ts";
import { describeValues } from "./values.ts";

/** `open` makes the source ready; it is closed behind the suite. */
export function describeSource(kind: string, open: () => Promise<SourceUnderTest>): void {
  describe(kind, () => {
    let opened: SourceUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    const place = () => opened;

    describeAccess(place);
    describeValues(place);
    describeParameters(place);
    describeResults(place);
    describeSyncs(place);

    describe("its credentials", () => {
      it("are refused in words where they are wrong", async () => {
        const failure = await failureOf(ask(place().refused, "SELECT 1"));
        expect(failure).toMatchObject({ code: "connection_failed", reason: "authentication" });
        expect(secretsFound(place().refused)).toEqual([]);
      });

      it("stand in no error of this suite", () => {
        expect(secretsFound(place().source)).toEqual([]);
      });
    });
  });
}
