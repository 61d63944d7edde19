// A statement that reads the lake: analysed, its tables and files opened, run in a locked database, and run again where
// that can help.

import type { LakeDescription } from "../../../../kernel/lake/lake.ts";
import { freeDiskSpace } from "../../core/disk.ts";
import { Failure, isDiskFull, isTooLarge } from "../../core/failure.ts";
import { wasKilled } from "../../core/process-end.ts";
import type { Phases } from "../../core/phases.ts";
import type { ByteSink } from "../../core/sink.ts";
import type { LakeStatement } from "../../core/statement.ts";
import type { RowTaker } from "../../formats/result.ts";
import { noDriveFiles, type FetchedDriveFiles } from "../files/drive-files.ts";
import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import { databaseKey } from "../process/database-key.ts";
import {
  ONE_THREAD,
  rowsTaken,
  type ResultFrame,
  type RunOrder,
  type RunResult,
  type Taken,
} from "../process/messages.ts";
import type { Analysis } from "../sql/analysis.ts";
import { resolveTables } from "../sql/relations.ts";
import { refusePlansOf } from "../sql/restricted-table.ts";
import { CachedStatement, type FrameTaker } from "./cache/cached-statement.ts";
import { mayBeHole, type Lake } from "./lake.ts";
import { CellTaker } from "./cell-taker.ts";
import { openPast, openTables, type OpenTables } from "./open-tables.ts";
import { ResultAnswer } from "./result-answer.ts";
import { Spool } from "./spool.ts";
import { estimate } from "./estimate-class.ts";

type RunEnd = { truncated: boolean };

/**
 * Runs one statement as its grant allows. Rejects with a Failure (or the signal's reason) as long as nothing was
 * written; later a JSON document ends with its failure and this resolves, other formats reject.
 */
export async function runRead(
  lake: Lake,
  statement: LakeStatement,
  signal: AbortSignal,
  sink: ByteSink,
): Promise<void> {
  const { shown } = statement;
  const answer = new ResultAnswer(statement, sink, performance.now());
  const result = { ...statement.result, ...(shown && { shown }) };
  try {
    const { truncated } = await read({ lake, statement, result, taker: answer, signal });
    if (!statement.cacheUse.isNotModified) await answer.end(truncated);
  } catch (error) {
    answer.fail(error);
  }
}

/** Runs one statement and gives its rows to `taker`. Rejects with a Failure, or the signal's reason. */
export async function readRows(
  lake: Lake,
  statement: LakeStatement,
  signal: AbortSignal,
  taker: RowTaker,
): Promise<void> {
  const rows = new CellTaker(taker);
  try {
    await read({ lake, statement, result: { ...statement.result, format: "cells" }, taker: rows, signal });
  } catch (error) {
    if (!rows.isDone) throw error;
  }
  await taker.end();
}

async function read(order: ReadOrder): Promise<RunEnd> {
  const { lake, statement, result, taker, signal } = order;
  const describe = (): Promise<LakeDescription> =>
    statement.phases.time("describe", () =>
      lake.catalog.describe(statement.target.lake, signal, { sql: statement.sql }),
    );
  const cached = new CachedStatement(lake.results, statement, result);
  const known = cached.mayBeKnown ? await cached.answer(await describe(), taker) : undefined;
  if (known) return known;
  // A process analyses while the platform describes, so that none is held while the platform is asked.
  const [analysis, description] = await Promise.all([
    statement.phases.time("gate", () => lake.analyse(analysed(statement), signal)),
    describe(),
  ]);
  if (cached.isUnmodified(analysis, description)) return { truncated: false };
  const running = cached.running(analysis, description);
  const shared = running && (await cached.answerAfter(running, description, taker, signal));
  if (shared) return shared;
  const recording = cached.record(analysis, description, taker);
  try {
    const end = await run({ ...order, taker: recording ?? taker, analysis, description });
    recording?.end(end.truncated);
    return end;
  } finally {
    recording?.leave();
  }
}

const analysed = ({ target, sql, values, isNumbered }: LakeStatement) => ({
  grant: target.lake,
  sql,
  values,
  isNumbered,
});

async function run(parts: LakeReadParts): Promise<RunEnd> {
  const read = new LakeRead(parts);
  try {
    await read.open();
    return await read.runOrRetry();
  } catch (error) {
    throw read.rewriteError(error);
  } finally {
    read.release();
  }
}

/** Measures setting up, running and writing separately. */
class RunClock {
  readonly #phases: Phases;
  #phase: "setup" | "run" = "setup";
  #since = performance.now();

  constructor(phases: Phases, waitingSince: number) {
    this.#phases = phases;
    phases.add("wait", this.#since - waitingSince);
  }

  /** The columns come once the statement is planned. */
  async take(frame: ResultFrame, taker: FrameTaker): Promise<Taken> {
    this.end();
    this.#phase = "run";
    const taken = await this.#phases.time("write", () => taker.take(frame));
    this.#since = performance.now();
    return taken;
  }

  end(): void {
    this.#phases.add(this.#phase, performance.now() - this.#since);
  }
}

type ReadOrder = { lake: Lake; statement: LakeStatement; result: RunResult; taker: FrameTaker; signal: AbortSignal };
type LakeReadParts = ReadOrder & { analysis: Analysis; description: LakeDescription };

class LakeRead {
  readonly #parts: LakeReadParts;
  /** The tables as of the grant's snapshot. */
  #current: OpenTables | undefined;
  /** The tables as of earlier snapshots, which the statement names by AT. */
  #past: OpenTables[] = [];
  #drive: FetchedDriveFiles;
  #hasRun = false;

  constructor(parts: LakeReadParts) {
    this.#parts = parts;
    this.#drive = noDriveFiles(parts.analysis.body);
  }

  async open(): Promise<void> {
    const { lake, statement, analysis, signal } = this.#parts;
    const grant = statement.target.lake;
    await this.#openCurrent();
    this.#past = await openPast(lake, grant, { names: analysis.tables, phases: statement.phases }, signal);
    if (analysis.explain) refusePlansOf(this.#opened().flatMap(({ tables }) => tables));
    const { phases } = statement;
    this.#drive = await lake.drive.fetch(analysis.body, analysis.driveFiles, { grant, phases }, signal);
  }

  /**
   * Runs the statement; once more after disk space was freed where the disk was full, and once more on whole files
   * where it may have read a part of one that had not been fetched.
   */
  async runOrRetry(): Promise<RunEnd> {
    try {
      return await this.#runOrFreeDiskSpace();
    } catch (error) {
      if (!this.#current?.isPartial || !mayBeHole(error)) throw error;
      return await this.#runOnWholeFiles(error);
    }
  }

  /** With positions in the text as it was sent, and tables where DuckDB named files. */
  rewriteError(error: unknown): unknown {
    const { lake, analysis } = this.#parts;
    const offset = this.#hasRun ? analysis.offset : 0;
    return lake.rewriteError(this.#drive.rewriteError(error), offset, this.#opened());
  }

  release(): void {
    for (const { release } of [...this.#opened(), this.#drive]) release();
  }

  #opened(): OpenTables[] {
    return [...(this.#current ? [this.#current] : []), ...this.#past];
  }

  async #openCurrent(): Promise<void> {
    const { lake, statement, result, analysis, description, signal } = this.#parts;
    const names = analysis.tables.filter(({ travel }) => !travel);
    this.#current = await openTables(
      lake,
      {
        grant: statement.target.lake,
        description,
        tables: resolveTables(names, description),
        readsMetadata: analysis.readsMetadata,
        analysis,
        values: statement.values,
        rowsMax: rowsTaken(result),
        phases: statement.phases,
      },
      signal,
    );
  }

  /**
   * Runs the statement. A short statement that needs more resources runs anew as a long one, and so does one that lost
   * its process.
   */
  async #run(): Promise<RunEnd> {
    const { analysis, taker, signal } = this.#parts;
    const { statementClass, isForOneThread } = estimate(analysis.body, this.#opened(), this.#drive.bytes);
    // The size of the drive's content is not known.
    const oneThread = isForOneThread && this.#drive.paths.length === 0;
    try {
      return await this.#runAs(statementClass, oneThread ? [ONE_THREAD] : []);
    } catch (error) {
      if (statementClass === "long" || taker.hasStarted || signal.aborted) throw error;
      if (!isTooLarge(error) && !wasKilled(error)) throw error;
      return await this.#runAs("long");
    }
  }

  async #runAs(statementClass: StatementClass, settings: readonly string[] = []): Promise<RunEnd> {
    const { lake, statement, result, analysis, taker, signal } = this.#parts;
    const opened = this.#opened();
    const setup = [...opened.flatMap((each) => each.setup), ...settings];
    const paths = [...opened.flatMap((each) => [...each.paths.values()]), ...this.#drive.paths];
    // The drive's files change.
    const key = this.#drive.paths.length > 0 ? undefined : databaseKey(statement.target.lake, setup, paths);
    const order: RunOrder = {
      body: this.#drive.body,
      explain: analysis.explain,
      setup,
      paths,
      result,
      requestId: statement.id,
      values: statement.values ?? [],
      key,
      isSteady: analysis.isSteady,
      filters: analysis.plain.filter(({ isFilter }) => isFilter),
    };
    this.#hasRun = true;
    const waitingSince = performance.now();
    const spool = new Spool(taker, lake.spoolSpace);
    const canRestart = statementClass === "short" ? () => !taker.hasStarted : undefined;
    const use = { id: statement.id, statementClass, key, canRestart, letGo: () => spool.letGo() };
    try {
      const end = await lake.pool.withDatabase(use, signal, async (process) => {
        const clock = new RunClock(statement.phases, waitingSince);
        return process.run(order, signal, (frame) => clock.take(frame, spool)).finally(() => clock.end());
      });
      await statement.phases.time("write", () => spool.end(signal));
      return end;
    } finally {
      await spool.close();
    }
  }

  async #runOrFreeDiskSpace(): Promise<RunEnd> {
    try {
      return await this.#run();
    } catch (error) {
      if (!isDiskFull(error) || !freeDiskSpace() || this.#parts.taker.hasStarted) throw error;
      return await this.#run();
    }
  }

  async #runOnWholeFiles(cause: unknown): Promise<RunEnd> {
    this.#current?.reportHole();
    if (this.#parts.taker.hasStarted)
      throw new Failure("internal", "The statement met data that had not been fetched; run it again.", { cause });
    this.#current?.release();
    await this.#openCurrent();
    return this.#run();
  }
}
