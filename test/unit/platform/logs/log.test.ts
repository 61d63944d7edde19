import { runInDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LOG_LIMITS } from "../../../../src/platform/logs/limits.ts";
import { newId } from "../../../../src/core/ids.ts";
import { newJobId } from "../../../../src/core/job-id.ts";
import { createTables, type LogLine, type LogQuery } from "../../../../src/platform/logs/log-lines.ts";
import { appendJobLog, openLog } from "../../../../src/platform/logs/log.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const newLog = () => openLog(env, newId());
const line = (message: string): LogLine => ({ level: "info", message, attempt: 1 });
const now = Date.parse("2100-01-01T00:00:00Z");
type Log = ReturnType<typeof newLog>;
const messages = async (log: Log, stream: string, offset = 0, limit = 1_000) =>
  (await log.read(stream, offset, limit)).lines.map(({ message }) => message);

describe("a team's log", () => {
  it("reads each stream by offset, in the order it was said", async () => {
    const log = newLog();
    await log.append("a", [line("one"), line("two")], now);
    await log.append("b", [line("other")], now);
    await log.append("a", [{ level: "error", message: "three", attempt: 2 }], now + 1_000);
    expect(await log.read("a", 0, 10)).toEqual({
      total: 3,
      lines: [
        { offset: 0, level: "info", message: "one", attempt: 1, at: "2100-01-01T00:00:00.000Z" },
        { offset: 1, level: "info", message: "two", attempt: 1, at: "2100-01-01T00:00:00.000Z" },
        { offset: 2, level: "error", message: "three", attempt: 2, at: "2100-01-01T00:00:01.000Z" },
      ],
    });
    expect([await messages(log, "a", 1, 1), await messages(log, "a", 9), await messages(log, "none")]).toEqual([
      ["two"],
      [],
      [],
    ]);
  });

  it("cuts a line that is too long", async () => {
    const log = newLog();
    await log.append("a", [line("x".repeat(LOG_LIMITS.lineCharactersMax + 1))]);
    expect((await messages(log, "a"))[0]).toHaveLength(LOG_LIMITS.lineCharactersMax);
  });

  it("drops what a stream says beyond its bound, and says so once", async () => {
    const log = newLog();
    const block = Array.from({ length: 100 }, () => line("x".repeat(4_096)));
    for (let bytes = 0; bytes <= LOG_LIMITS.streamBytesMax + 1_000_000; bytes += 409_600)
      await log.append("a", block, now);
    const { total } = await log.read("a", 0, 1);
    expect(total).toBe(LOG_LIMITS.streamBytesMax / 4_096 + 1);
    expect(await messages(log, "a", total - 2)).toEqual([
      "x".repeat(4_096),
      "This log is full; further lines are dropped.",
    ]);
    await log.append("b", [line("still heard")], now);
    expect(await messages(log, "b")).toEqual(["still heard"]);
  });

  it("forgets lines past their days, and never counts offsets anew", async () => {
    const log = newLog();
    await log.append("a", [line("old"), line("older")], now);
    await log.append("a", [line("young")], now + LOG_LIMITS.keptMs - 1_000);
    await log.append("b", [line("now")], now + LOG_LIMITS.keptMs + 1);
    expect(await log.read("a", 0, 10)).toMatchObject({ total: 3, lines: [{ offset: 2, message: "young" }] });
  });

  it("forgets the oldest lines of the team beyond its bytes", async () => {
    const log = newLog();
    await log.append("a", [line("first")], now);
    await runInDurableObject(
      log,
      (_, { storage }) => void storage.sql.exec("UPDATE totals SET bytes = ?", LOG_LIMITS.bytesMax + 10),
    );
    await log.append(
      "b",
      Array.from({ length: 3 }, () => line("x")),
      now,
    );
    expect(await messages(log, "a")).toEqual([]);
    const { bytes } = await runInDurableObject(log, (_, { storage }) =>
      storage.sql.exec<{ bytes: number }>("SELECT bytes FROM totals").one(),
    );
    expect(bytes).toBeLessThanOrEqual(LOG_LIMITS.bytesMax + 10);
  });

  it("is trimmed by its alarm where nothing more is said", async () => {
    const log = newLog();
    await log.append("a", [line("of long ago")], Date.now() - LOG_LIMITS.keptMs + 500);
    expect(await messages(log, "a")).toHaveLength(1);
    await runInDurableObject(log, (_, { storage }) => void storage.sql.exec("UPDATE lines SET at_ms = at_ms - 1000"));
    expect(await runDurableObjectAlarm(log)).toBe(true);
    expect(await messages(log, "a")).toEqual([]);
    // Nothing is left to be trimmed, so no alarm is either.
    expect(await runDurableObjectAlarm(log)).toBe(false);
  });

  it("keeps what a job says under the run it is an attempt of", async () => {
    const [teamId, runId] = [newId(), newId()];
    await appendJobLog(openClients(env), { teamId, jobId: newJobId(runId, 3) }, [
      { level: "warning", message: "slow" },
    ]);
    expect((await openLog(env, teamId).read(runId, 0, 10)).lines).toMatchObject([
      { level: "warning", message: "slow", attempt: 3 },
    ]);
    expect((await openLog(env, teamId).query(runId, { limit: 1 })).lines).toMatchObject([{ source: "engine" }]);
  });

  describe("by attempt and level", () => {
    const filled = async () => {
      const log = newLog();
      await log.append("a", [
        { level: "info", message: "one", attempt: 1 },
        { level: "warning", message: "two", attempt: 1, source: "engine" },
        { level: "error", message: "three", attempt: 1, source: "orders" },
        { level: "info", message: "four", attempt: 2, source: "engine" },
        { level: "error", message: "five", attempt: 2 },
      ]);
      await log.append("b", [{ level: "error", message: "another stream's", attempt: 1 }]);
      return log;
    };
    const said = async (log: Log, query: Partial<LogQuery>) => {
      const { lines, total } = await log.query("a", { limit: 10, ...query });
      return [lines.map(({ message }) => message).join(" "), total];
    };

    it("is read from either end, with who said it, a page at a time", async () => {
      const log = await filled();
      expect(await said(log, {})).toEqual(["one two three four five", 5]);
      expect(await said(log, { ascending: false, limit: 2 })).toEqual(["five four", 5]);
      expect(await said(log, { attempt: 1, offset: 1 })).toEqual(["two three", 3]);
      expect(await said(log, { attempt: 1, ascending: false, offset: 1, limit: 1 })).toEqual(["two", 3]);
      expect(await said(log, { levels: ["error"], ascending: false })).toEqual(["five three", 2]);
      expect(await said(log, { levels: ["error", "warning"], attempt: 1 })).toEqual(["two three", 2]);
      expect(await said(log, { attempt: 3 })).toEqual(["", 0]);
      const { lines } = await log.query("a", { attempt: 1, limit: 10 });
      expect(lines.map(({ offset, source }) => [offset, source])).toEqual([
        [0, "platform"],
        [1, "engine"],
        [2, "orders"],
      ]);
    });

    it("is followed without a line twice or left out, though lines come while it is read", async () => {
      const log = await filled();
      const followed: string[] = [];
      let from = 0;
      for (let turn = 0; turn < 8; turn++) {
        const page = await log.query("a", { from, limit: 2, levels: ["error", "info"] });
        followed.push(...page.lines.map(({ message }) => message));
        from = page.next;
        if (turn === 3) await log.append("a", [line("six"), { level: "warning", message: "not this", attempt: 2 }]);
        if (turn === 5) await log.append("a", [line("seven")]);
      }
      expect(followed).toEqual(["one", "three", "four", "five", "six", "seven"]);
      expect((await log.query("none", { limit: 1 })).next).toBe(0);
    });
  });

  it("keeps and reads on what was kept before lines had a source", async () => {
    const log = newLog();
    await log.append("a", [line("of an earlier version")], now);
    await runInDurableObject(log, (_, { storage }) => {
      storage.sql.exec("ALTER TABLE lines DROP COLUMN source");
      createTables(storage.sql);
    });
    await log.append("a", [line("of this one")], now);
    expect(await messages(log, "a")).toEqual(["of an earlier version", "of this one"]);
    const { lines } = await log.query("a", { limit: 10 });
    expect(lines.map(({ source }) => source)).toEqual(["unknown", "platform"]);
  });

  it("is one team's own", async () => {
    const [one, other] = [newLog(), newLog()];
    await one.append("a", [line("ours")]);
    expect(await messages(other, "a")).toEqual([]);
  });
});
