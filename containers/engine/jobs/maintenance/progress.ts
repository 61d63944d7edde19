// A maintenance reports its progress with every heartbeat, step by step and table by table.

import {
  MAINTENANCE_STEPS,
  type CompactionPlanRequest,
  type MaintenanceLevel,
  type MaintenanceProgress,
  type MaintenanceStep,
} from "../../../../kernel/lake/maintenance.ts";
import { fitReport } from "../fit-report.ts";

export type StepProgress = MaintenanceProgress["steps"][number];
export type TableProgress = MaintenanceProgress["tables"][number];
export type CompactionStep = CompactionPlanRequest["step"];

const NOTE_CHARACTERS_MAX = 1_000;
const TABLES_MAX = 10_000;

const DAILY: readonly MaintenanceStep[] = ["merge", "delete", "collect"];

/** The steps of a level, in the order in which they are taken. */
export const stepsOf = (level: MaintenanceLevel): readonly MaintenanceStep[] =>
  level === "full" ? MAINTENANCE_STEPS : DAILY;

export class ProgressReport {
  readonly level: MaintenanceLevel;
  readonly steps: StepProgress[];
  readonly #tables = new Map<string, TableProgress>();

  constructor(level: MaintenanceLevel) {
    this.level = level;
    this.steps = stepsOf(level).map((step) => ({ step, state: "waiting", done: 0, files: 0, bytes: 0, error: null }));
  }

  /** The progress of a table in a step. The first call begins it. */
  table(step: CompactionStep, { schema, name }: { schema: string; name: string }): TableProgress {
    const key = JSON.stringify([step, schema, name]);
    let known = this.#tables.get(key);
    if (!known)
      this.#tables.set(
        key,
        (known = {
          schema,
          name,
          step,
          state: "running",
          filesBefore: 0,
          filesAfter: 0,
          bytesBefore: 0,
          bytesAfter: 0,
          rowsBefore: 0,
          rowsAfter: 0,
          note: null,
        }),
      );
    return known;
  }

  /** The progress of each table in a step. */
  tablesOf(step: CompactionStep): TableProgress[] {
    return [...this.#tables.values()].filter((table) => table.step === step);
  }

  /**
   * The report within the size of one message: where tables have to be left out, failed ones are kept first, and
   * finished ones last.
   */
  report(): MaintenanceProgress {
    const steps = this.steps.map((step) => ({ ...step }));
    const tables = [...this.#tables.values()].map((table) => ({ ...table }));
    const kept = fitReport(tables, steps, (a, b) => RANK[a.state] - RANK[b.state]);
    return { kind: "maintenance", level: this.level, steps, tables: kept.slice(0, TABLES_MAX) };
  }
}

const RANK: Record<TableProgress["state"], number> = { failed: 0, running: 1, left_alone: 2, done: 3 };

export const shorten = (text: string): string =>
  text.length > NOTE_CHARACTERS_MAX ? `${text.slice(0, NOTE_CHARACTERS_MAX - 1)}…` : text;
