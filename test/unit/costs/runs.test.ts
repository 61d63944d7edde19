// What a run costs D1, the objects and the queues, part by part.

import { describe, expect, it } from "vitest";
import { DOC_RUN, ROW_BYTES, SYNC_RUN } from "../../../scripts/scale/counts.ts";
import { ANOTHER_ID, bytesOf, copyRow } from "../../support/unit/costs/copies.ts";
import { runDocCounted } from "../../support/unit/costs/doc-run.ts";
import { runSyncCounted } from "../../support/unit/costs/sync-run.ts";

const COPIES = 500;
/** A database grows by pages, and the texts in a row differ a little. */
const NEAR = 0.1;

describe("a sync's run", () => {
  it("takes so many statements, calls and messages, however often it is looked at", async () => {
    const { "look again": lookAgain, ...parts } = await runSyncCounted();
    expect(parts).toEqual(SYNC_RUN);
    expect(lookAgain).toEqual(SYNC_RUN.look);
  });

  it("leaves so many bytes in D1", async () => {
    const bytes = await bytesOf(COPIES, async () => {
      await copyRow("sync_runs", COPIES, { id: ANOTHER_ID, scheduled_for: "NULL" });
      await copyRow("attempts", COPIES, { run_id: ANOTHER_ID });
    });
    expect(Math.abs(bytes / ROW_BYTES.syncRun - 1)).toBeLessThan(NEAR);
  });
});

describe("a doc's run on a schedule", () => {
  it("takes so many statements, calls and messages", async () => {
    const { "first report": first, ...parts } = await runDocCounted();
    expect(parts).toEqual(DOC_RUN);
    expect(first!.statements).toBe(DOC_RUN.report.statements);
  });

  it("leaves so many bytes in D1", async () => {
    const found = {
      automationRun: await bytesOf(COPIES, async () => {
        await copyRow("automation_runs", COPIES, { id: ANOTHER_ID, scheduled_for: "NULL" });
        await copyRow("attempts", COPIES, { run_id: ANOTHER_ID });
      }),
      docRun: await bytesOf(COPIES, () => copyRow("doc_runs", COPIES, { id: ANOTHER_ID })),
      execution: await bytesOf(COPIES, () => copyRow("executions", COPIES, { id: ANOTHER_ID, run_id: ANOTHER_ID })),
      auditEvent: await bytesOf(COPIES, () => copyRow("audit_events", COPIES, { id: ANOTHER_ID })),
    };
    for (const [row, bytes] of Object.entries(found))
      expect(Math.abs(bytes / ROW_BYTES[row as keyof typeof found] - 1), row).toBeLessThan(NEAR);
  });
});
