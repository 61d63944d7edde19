// What the catalog said, remembered: a description and a plan belong to one snapshot and never change.

import type { ZodType } from "zod";
import {
  LakeDescription,
  PlanAnswer,
  SignAnswer,
  SnapshotAnswer,
  type LakeTable,
  type Predicate,
  type TablePlan,
} from "../../contract/lake.ts";
import type { LakeGrant } from "../../contract/protocol.ts";
import type { RowPredicate } from "../../contract/row-predicates.ts";
import { askPlatform } from "../../platform/ask-platform.ts";
import { LruMap } from "../../core/lru-map.ts";

const DESCRIPTIONS_MAX = 64;
const PLANS_MAX = 2_000;
/** As many tables as one planning answers. */
const PLANNED_MAX = 1_000;

type Question<T> = { body: object; answer: ZodType<T>; signal: AbortSignal };

/** What grants that read the same have in common. */
const keyOf = ({ lakeId, snapshotId, scope, token }: LakeGrant): string => `${lakeId} ${snapshotId} ${scope ?? token}`;

export class CatalogClient {
  readonly #platformUrl: string;
  /** By snapshot and by whom it was given to: another caller may read other tables. */
  readonly #descriptions = new LruMap<LakeDescription>(DESCRIPTIONS_MAX);
  /** By snapshot, table and whom it was given to: another caller may not know of the table, or of some of its files. */
  readonly #plans = new LruMap<TablePlan>(PLANS_MAX);

  constructor(platformUrl: string) {
    this.#platformUrl = platformUrl;
  }

  /** The tables that the grant's holder may read. */
  async describe(grant: LakeGrant, signal: AbortSignal): Promise<LakeDescription> {
    const key = keyOf(grant);
    const known = this.#descriptions.get(key);
    if (known) return known;
    const answer = await this.#ask(grant, "describe", { body: {}, answer: LakeDescription, signal });
    // A relation has columns: where none is shown there is none.
    const description = { ...answer, tables: answer.tables.filter(({ view }) => !view || view.cells.length > 0) };
    this.#descriptions.set(key, description);
    return description;
  }

  /** The files of `tables`, in their order; a table the platform has no plan for has no files. */
  async plan(grant: LakeGrant, tables: readonly LakeTable[], signal: AbortSignal): Promise<TablePlan[]> {
    const key = (tableId: number): string => `${keyOf(grant)} ${tableId}`;
    const found = new Map(tables.map(({ tableId }) => [tableId, this.#plans.get(key(tableId))]));
    const missing = [...found].flatMap(([tableId, plan]) => (plan ? [] : [tableId]));
    for (let i = 0; i < missing.length; i += PLANNED_MAX) {
      const answer = await this.#ask(grant, "plan", {
        body: { tableIds: missing.slice(i, i + PLANNED_MAX) },
        answer: PlanAnswer,
        signal,
      });
      for (const plan of answer.tables) {
        found.set(plan.tableId, plan);
        this.#plans.set(key(plan.tableId), plan);
      }
    }
    return tables.map(({ tableId }) => found.get(tableId) ?? { tableId, files: [] });
  }

  /**
   * Those of a plan's files that may hold rows for which all predicates of a list are true. Never remembered as the
   * table's.
   */
  async prune(
    grant: LakeGrant,
    plan: TablePlan,
    anyOf: RowPredicate<Predicate>,
    signal: AbortSignal,
  ): Promise<TablePlan> {
    const answer = await this.#ask(grant, "plan", {
      body: { tableIds: [plan.tableId], anyOf },
      answer: PlanAnswer,
      signal,
    });
    const kept = new Set(answer.tables.flatMap(({ files }) => files.map(({ id }) => id)));
    return { ...plan, files: plan.files.filter(({ id }) => kept.has(id)) };
  }

  /** GET URLs by file id. */
  async sign(grant: LakeGrant, fileIds: number[], signal: AbortSignal): Promise<Record<string, string>> {
    const { urls } = await this.#ask(grant, "sign", { body: { fileIds }, answer: SignAnswer, signal });
    return urls;
  }

  /** The newest snapshot at an instant that the grant reaches; null where none is kept. */
  async snapshotAt(grant: LakeGrant, at: Date, signal: AbortSignal): Promise<number | null> {
    const path = `/internal/lakes/${encodeURIComponent(grant.lakeId)}/snapshots`;
    const access = { platformUrl: this.#platformUrl, token: grant.token };
    const body = { at: at.toISOString() };
    return (await askPlatform(access, { path, body, answer: SnapshotAnswer, signal })).snapshotId;
  }

  #ask<T>(grant: LakeGrant, verb: string, { body, answer, signal }: Question<T>): Promise<T> {
    const path = `/internal/lakes/${encodeURIComponent(grant.lakeId)}/${verb}`;
    const access = { platformUrl: this.#platformUrl, token: grant.token };
    return askPlatform(access, { path, body: { ...body, snapshotId: grant.snapshotId }, answer, signal });
  }
}
