// The catalog's answers are remembered: a description belongs to one snapshot, a plan to one version of its table.

import type { ZodType } from "zod";
import { FORESEEN } from "../../../../kernel/lake/constants.ts";
import {
  DescribeAnswer,
  LakePlanAnswer,
  SignAnswer,
  SnapshotAnswer,
  type DescribeRequest,
  type LakeColumn,
  type LakeDescription,
  type LakeTable,
  type Predicate,
  type SnapshotRequest,
  type TablePlan,
} from "../../../../kernel/lake/lake.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { RowPredicate } from "../../../../kernel/lake/row-predicates.ts";
import { askPlatform } from "../../platform/ask-platform.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import { foldName } from "../../duckdb/names.ts";
import { namesIn } from "./names-in.ts";
import { readerOf } from "./reader-of.ts";
import { UrlsAhead } from "./urls-ahead.ts";

/** Bytes of memory for what is remembered, as near as they are counted. */
const DESCRIPTION_BYTES_MAX = 32 * 1024 * 1024;
const PLAN_BYTES_MAX = 64 * 1024 * 1024;
const PRUNED_BYTES_MAX = 8 * 1024 * 1024;
/** Bytes in memory of a column, a planned file, an id in a set, and an entry. */
const COLUMN_BYTES = 200;
const FILE_BYTES = 300;
const ID_BYTES = 40;
const ENTRY_BYTES = 500;
/** The most tables that one planning request answers. */
const PLANNED_MAX = 1_000;

type Question<T> = { body: object; answer: ZodType<T>; signal: AbortSignal };

/**
 * Equal keys mean equal plans. The reader is part of the key, as other rights may hide the table or some of its files.
 */
export const tableKey = (grant: LakeGrant, { tableId, version }: LakeTable): string =>
  `${readerOf(grant)} ${tableId} ${version}`;

/** `columnIds`: at least one, of columns without children. */
type SizedTable = { table: LakeTable; anyOf: RowPredicate<Predicate>; columnIds: readonly number[] };

export class CatalogClient {
  readonly #platformUrl: string;
  /**
   * Descriptions by snapshot and by reader, as another caller may read other tables; and by the newest snapshot that
   * the reader knows, as roles apply to an earlier snapshot by the names that tables have got since.
   */
  readonly #descriptions = new LruMap<LakeDescription>(DESCRIPTION_BYTES_MAX, descriptionBytes);
  /** Plans by {@link tableKey}. */
  readonly #plans = new LruMap<TablePlan>(PLAN_BYTES_MAX, ({ files }) => ENTRY_BYTES + 2 * FILE_BYTES * files.length);
  /** The files that may hold rows, by {@link tableKey} and by what the rows must satisfy. */
  readonly #pruned = new LruMap<ReadonlySet<number>>(PRUNED_BYTES_MAX, ({ size }) => ENTRY_BYTES + ID_BYTES * size);

  /** Newest descriptions by reader, to know which plans are already here. */
  readonly #newest = new LruMap<LakeDescription>(DESCRIPTION_BYTES_MAX, descriptionBytes);
  readonly #urls = new UrlsAhead();

  constructor(platformUrl: string) {
    this.#platformUrl = platformUrl;
  }

  /**
   * The tables that the grant's holder may read. A past grant comes with `now`, the grant that it was made from. Where
   * the platform has to be asked, it also answers plans of the tables whose names are in `sql`.
   */
  async describe(
    grant: LakeGrant,
    signal: AbortSignal,
    { now = grant, sql = "" }: { now?: LakeGrant; sql?: string } = {},
  ): Promise<LakeDescription> {
    const key = `${readerOf(grant)} ${now.snapshotId} ${grant.snapshotId}`;
    const kept = this.#descriptions.get(key);
    if (kept) return kept;
    const names = namesIn(sql);
    const body = { names, known: this.#knownPlans(grant, names) };
    const { plans, urls, ...answer } = await this.#ask(grant, "describe", { body, answer: DescribeAnswer, signal });
    // A DuckDB relation has columns, so that a table without a visible column is left out.
    const description = {
      ...answer,
      tables: answer.tables.filter(({ view }) => view === "whole" || view.cells.length > 0),
    };
    this.#descriptions.set(key, description);
    this.#newest.set(readerOf(grant), description);
    const tables = new Map(description.tables.map((table) => [table.tableId, table]));
    for (const plan of plans) {
      const table = tables.get(plan.tableId);
      if (table) this.#plans.set(tableKey(grant, table), plan);
    }
    this.#urls.add(readerOf(grant), urls);
    return description;
  }

  /** The files of `tables`, in their order; a table the platform has no plan for has no files. */
  async plan(grant: LakeGrant, tables: readonly LakeTable[], signal: AbortSignal): Promise<TablePlan[]> {
    const found = new Map(tables.map((table) => [table.tableId, this.#plans.get(tableKey(grant, table))]));
    const missing = tables.filter(({ tableId }) => !found.get(tableId));
    for (let i = 0; i < missing.length; i += PLANNED_MAX) {
      const asked = missing.slice(i, i + PLANNED_MAX);
      const plans = await this.#askPlans(grant, { tableIds: asked.map(({ tableId }) => tableId) }, signal);
      for (const table of asked) {
        const plan = plans.get(table.tableId);
        if (!plan) continue;
        found.set(table.tableId, plan);
        this.#plans.set(tableKey(grant, table), plan);
      }
    }
    return tables.map(({ tableId }) => found.get(tableId) ?? { tableId, files: [] });
  }

  /** The planned files of a table that may hold rows for which all predicates of a list are true. */
  async prune(
    grant: LakeGrant,
    { table, plan, anyOf }: { table: LakeTable; plan: TablePlan; anyOf: RowPredicate<Predicate> },
    signal: AbortSignal,
  ): Promise<TablePlan> {
    const { tableId } = table;
    const key = `${tableKey(grant, table)} ${JSON.stringify(anyOf)}`;
    let kept = this.#pruned.get(key);
    if (!kept) {
      const pruned = (await this.#askPlans(grant, { tableIds: [tableId], anyOf }, signal)).get(tableId);
      kept = new Set(pruned?.files.map(({ id }) => id));
      this.#pruned.set(key, kept);
    }
    return { ...plan, files: plan.files.filter(({ id }) => kept.has(id)) };
  }

  /**
   * The files of a table that may hold rows for which all predicates of a list are true, with the size of some columns
   * in each. Nothing of it is remembered.
   */
  async planSized(
    grant: LakeGrant,
    { table: { tableId }, anyOf, columnIds }: SizedTable,
    signal: AbortSignal,
  ): Promise<TablePlan> {
    const body = { tableIds: [tableId], anyOf, columnIds };
    const { tables } = await this.#ask(grant, "plan", { body, answer: LakePlanAnswer, signal });
    return tables[0] ?? { tableId, files: [] };
  }

  /** GET URLs by file id; those that came with a plan are given once. */
  async sign(grant: LakeGrant, fileIds: number[], signal: AbortSignal): Promise<Record<string, string>> {
    const urls = this.#urls.take(readerOf(grant), fileIds);
    const missing = fileIds.filter((id) => !(id in urls));
    if (missing.length === 0) return urls;
    const signed = await this.#ask(grant, "sign", { body: { fileIds: missing }, answer: SignAnswer, signal });
    return { ...urls, ...signed.urls };
  }

  /**
   * A snapshot that the grant reaches; null where it is not kept. The answer is not remembered, as a snapshot may
   * expire.
   */
  async findSnapshot(grant: LakeGrant, body: SnapshotRequest, signal: AbortSignal): Promise<number | null> {
    const path = `/internal/lakes/${encodeURIComponent(grant.lakeId)}/snapshots`;
    const access = { platformUrl: this.#platformUrl, token: grant.token };
    return (await askPlatform(access, { path, body, answer: SnapshotAnswer, signal })).snapshotId;
  }

  /** The known plans of the tables of these names, as the reader last saw them. */
  #knownPlans(grant: LakeGrant, names: readonly string[]): DescribeRequest["known"] {
    const named = new Set(names);
    const tables = this.#newest.get(readerOf(grant))?.tables.filter(({ name }) => named.has(foldName(name))) ?? [];
    const known = tables.flatMap((table) => {
      const files = this.#plans.get(tableKey(grant, table))?.files;
      if (!files) return [];
      const fileId = files.reduce((last, { id, deletes }) => Math.max(last, id, deletes?.id ?? -1), -1);
      return [{ tableId: table.tableId, version: table.version, fileId }];
    });
    return known.slice(0, FORESEEN.namesMax);
  }

  async #askPlans(
    grant: LakeGrant,
    asked: { tableIds: number[]; anyOf?: RowPredicate<Predicate> },
    signal: AbortSignal,
  ): Promise<Map<number, TablePlan>> {
    const body = { ...asked, signs: true };
    const { tables, urls } = await this.#ask(grant, "plan", { body, answer: LakePlanAnswer, signal });
    this.#urls.add(readerOf(grant), urls);
    return new Map(tables.map((plan) => [plan.tableId, plan]));
  }

  #ask<T>(grant: LakeGrant, verb: string, { body, answer, signal }: Question<T>): Promise<T> {
    const path = `/internal/lakes/${encodeURIComponent(grant.lakeId)}/${verb}`;
    const access = { platformUrl: this.#platformUrl, token: grant.token };
    return askPlatform(access, { path, body: { ...body, snapshotId: grant.snapshotId }, answer, signal });
  }
}

function descriptionBytes({ tables }: LakeDescription): number {
  const columnBytes = (columns: readonly LakeColumn[]): number =>
    columns.reduce((sum, { children }) => sum + COLUMN_BYTES + columnBytes(children), 0);
  const viewBytes = ({ view }: LakeTable): number => (view === "whole" ? 0 : 2 * JSON.stringify(view).length);
  return tables.reduce((sum, table) => sum + ENTRY_BYTES + columnBytes(table.columns) + viewBytes(table), ENTRY_BYTES);
}
