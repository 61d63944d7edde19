// One lake's catalog: the single writer of its tables, and the holder of its leases. The object is named by the lake's
// id.

import { DurableObject } from "cloudflare:workers";
import type { CatalogOutline, RowsAnswer } from "../../../../containers/engine/contract/export.ts";
import type {
  LakeDescription,
  LakeTableName,
  Predicate,
  TablePlan,
} from "../../../../containers/engine/contract/lake.ts";
import type { CommitAnswer } from "../../../../containers/engine/contract/commit.ts";
import type { JobOutcome, JobProgress, TablesAnswer } from "../../../../containers/engine/contract/job.ts";
import type { Answer } from "../answer.ts";
import { browseColumns, type BrowsedColumn } from "../browse/columns.ts";
import { outlineCatalog, readPage } from "../browse/export.ts";
import { browseSnapshots, type TableSnapshot } from "../browse/snapshots.ts";
import { browseTable, browseTables, type TableSummary } from "../browse/tables.ts";
import { commitToCatalog, type JobCommit } from "../commit/commit.ts";
import { readHead } from "../commit/state.ts";
import { describeCatalog, describeSchema, listTables, snapshotAt } from "../plan/describe.ts";
import type { MaintenanceLevel } from "../../../../containers/engine/contract/maintenance.ts";
import { dryRunMaintenance, type MaintenanceDryRun } from "../maintenance/dry-run.ts";
import { makeStatisticsExact, type StatisticsStep } from "../maintenance/exact-statistics.ts";
import { measureLake, type LakeFigures } from "../maintenance/measure.ts";
import { planCompaction, type CompactionRequest, type PlannedCompaction } from "../maintenance/plan-compaction.ts";
import { confirmDeleted, listDueFiles, type ScheduledFile } from "../maintenance/due-files.ts";
import { expireDue, expireSnapshots, type Expired, type ExpiredStep, type Expiry } from "../maintenance/expire.ts";
import { findOutcome, findProgress, keepOutcome, keepProgress, type Reported } from "../writers/job-reports.ts";
import {
  acquireLease,
  findHeldLease,
  isAlive,
  recordBase,
  releaseLease,
  renewLease,
  type Lease,
  type LeaseHolder,
} from "../writers/leases.ts";
import { openCatalog } from "./open-catalog.ts";
import { listOptions, setOption, type Option, type OptionScope } from "../maintenance/options.ts";
import { statesOfObjects, type ObjectState } from "../maintenance/object-states.ts";
import { claimTables, findOwner, keepTables, releaseOwner, type OwnedTable, type Owner } from "../writers/owners.ts";
import { pathsOfFiles, planTables } from "../plan/plan.ts";
import { openStatement, type NewStatement, type OpenStatement } from "../writers/statements.ts";
import { forgetNotes, readNotes } from "../writers/notes.ts";
import { uploadFolders } from "../writers/upload-folders.ts";

/**
 * `nowMs` is the object's own clock unless a test says otherwise: leases of several Workers are then judged by one
 * clock.
 */
export class CatalogObject extends DurableObject<Env> {
  #isOpen = false;

  currentSnapshot(): { snapshotId: number } {
    return { snapshotId: readHead(this.#sql()).snapshotId };
  }

  describe(snapshotId: number): Answer<LakeDescription> {
    return describeCatalog(this.#sql(), snapshotId);
  }

  /**
   * With `anyOf`, files that hold no row for which all predicates of one of its lists are true are left out. A job that
   * asks works from this snapshot from here on, and keeps it.
   */
  plan(snapshotId: number, tableIds: number[], anyOf?: Predicate[][], asker?: LeaseHolder): Answer<TablePlan[]> {
    const planned = planTables(this.#sql(), snapshotId, tableIds, anyOf);
    if (planned.ok && asker) recordBase(this.#sql(), asker, snapshotId);
    return planned;
  }

  /** Paths relative to the lake's root, of files that belong to a table at the snapshot. */
  pathsOf(snapshotId: number, fileIds: number[]): Answer<Record<number, string>> {
    return pathsOfFiles(this.#sql(), snapshotId, fileIds);
  }

  browseTables(tablesMax: number): { total: number; tables: TableSummary[] } {
    return browseTables(this.#sql(), tablesMax);
  }

  browseTable(schema: string, name: string): Answer<TableSummary> {
    return browseTable(this.#sql(), schema, name);
  }

  browseColumns(schema: string, name: string): Answer<BrowsedColumn[]> {
    return browseColumns(this.#sql(), schema, name);
  }

  browseSnapshots(
    schema: string,
    name: string,
    snapshotsMax: number,
  ): Answer<{ total: number; snapshots: TableSnapshot[] }> {
    return browseSnapshots(this.#sql(), schema, name, snapshotsMax);
  }

  outline(snapshotId: number): Answer<CatalogOutline> {
    return outlineCatalog(this.#sql(), snapshotId);
  }

  readPage(snapshotId: number, table: string, after: number | null): Answer<RowsAnswer> {
    return readPage(this.#sql(), snapshotId, table, after);
  }

  /** A schema's tables as of now, with their rows. */
  listTables(schema: string): { schema: string; name: string; rows: number }[] {
    return listTables(this.#sql(), schema);
  }

  snapshotAt(atMs: number): number | null {
    return snapshotAt(this.#sql(), atMs);
  }

  /** Permission for one statement to upload and commit. */
  openStatement(statement: NewStatement, nowMs: number = Date.now()): Answer<OpenStatement> {
    this.#sql();
    return openStatement(this.ctx.storage, statement, nowMs);
  }

  commit(request: JobCommit, nowMs: number = Date.now()): Answer<CommitAnswer> {
    this.#sql();
    return commitToCatalog(this.ctx.storage, request, nowMs);
  }

  /** One schema's tables as of now, with their columns. A job that asks works from this snapshot, and keeps it. */
  describeSchema(schema: string, asker?: LeaseHolder): TablesAnswer {
    const { snapshotId } = readHead(this.#sql());
    if (asker) recordBase(this.#sql(), asker, snapshotId);
    return { snapshotId, tables: describeSchema(this.#sql(), snapshotId, schema) };
  }

  /** Where a job's files for tables go, in their order; refused once its fence is dead. */
  uploadFolders(lease: string, fence: number, tables: LakeTableName[]): Answer<string[]> {
    return uploadFolders(this.#sql(), lease, fence, tables);
  }

  /** What commits kept under the keys. */
  notesOf(keys: string[]): Record<string, string | null> {
    return readNotes(this.#sql(), keys);
  }

  forgetNotes(prefix: string, kept: string[] = []): number {
    return forgetNotes(this.#sql(), prefix, kept);
  }

  /** Claims all the tables for a sync, or, answering those that are another's, none. */
  claimTables(owner: Owner, tables: LakeTableName[]): OwnedTable[] {
    this.#sql();
    return claimTables(this.ctx.storage, owner, tables);
  }

  /** Claims all the tables and releases the sync's others, or, answering those that are another's, neither. */
  keepTables(owner: Owner, tables: LakeTableName[]): OwnedTable[] {
    this.#sql();
    return keepTables(this.ctx.storage, owner, tables);
  }

  releaseOwner(owner: string): number {
    return releaseOwner(this.#sql(), owner);
  }

  ownerOf(schema: string, name: string): Owner | undefined {
    return findOwner(this.#sql(), schema, name);
  }

  keepProgress(lease: string, fence: number, progress: JobProgress): Answer<null> {
    this.#sql();
    return keepProgress(this.ctx.storage, lease, fence, progress);
  }

  keepOutcome(lease: string, fence: number, outcome: JobOutcome): Answer<null> {
    this.#sql();
    return keepOutcome(this.ctx.storage, lease, fence, outcome);
  }

  /** The last that the newest job under the lease to say anything has said of how far it is. */
  progressOf(lease: string): Reported<JobProgress> | undefined {
    return findProgress(this.#sql(), lease);
  }

  outcomeOf(lease: string): Reported<JobOutcome> | undefined {
    return findOutcome(this.#sql(), lease);
  }

  /** Forgets snapshots, and schedules the files that only they read. */
  expireSnapshots(expiry: Expiry, nowMs: number = Date.now()): Expired {
    this.#sql();
    return expireSnapshots(this.ctx.storage, expiry, nowMs);
  }

  /** One step of the expiry that the lake's rules ask for; a live job's and statement's snapshots are spared. */
  expireDue(nowMs: number = Date.now()): ExpiredStep {
    this.#sql();
    return expireDue(this.ctx.storage, nowMs);
  }

  /** The next compactions for the job that holds the lease, as of the newest snapshot. */
  planCompaction(
    holder: LeaseHolder,
    request: CompactionRequest,
    nowMs: number = Date.now(),
  ): Answer<PlannedCompaction> {
    this.#sql();
    return planCompaction(this.ctx.storage, holder, request, nowMs);
  }

  /** One step over all tables; `after` is the `next` of the one before. */
  makeStatisticsExact(after: string | null): Answer<StatisticsStep> {
    this.#sql();
    return makeStatisticsExact(this.ctx.storage, after);
  }

  /** Figures of the lake, and of as many tables as are asked for. */
  measure(tablesMax: number, nowMs: number = Date.now()): LakeFigures {
    return measureLake(this.#sql(), tablesMax, nowMs);
  }

  /** What a maintenance would do now. */
  dryRunMaintenance(level: MaintenanceLevel, tablesMax: number, nowMs: number = Date.now()): MaintenanceDryRun {
    return dryRunMaintenance(this.#sql(), level, { tablesMax, nowMs });
  }

  /** Files scheduled before the instant, whose objects may be deleted. */
  listDueFiles(scheduledBeforeMs: number, max: number): ScheduledFile[] {
    return listDueFiles(this.#sql(), scheduledBeforeMs, max);
  }

  confirmDeleted(fileIds: number[]): number {
    return confirmDeleted(this.#sql(), fileIds);
  }

  /** What each of the objects at these paths, relative to the lake's root, is to the catalog; in their order. */
  statesOfObjects(paths: string[], nowMs: number = Date.now()): ObjectState[] {
    return statesOfObjects(this.#sql(), paths, nowMs);
  }

  setOption(key: string, value: string | null, scope?: OptionScope): Answer<null> {
    return setOption(this.#sql(), key, value, scope);
  }

  listOptions(scope?: OptionScope): Answer<Option[]> {
    return listOptions(this.#sql(), scope);
  }

  acquireLease(name: string, holder: string, ttlMs: number, nowMs: number = Date.now()): Answer<{ fence: number }> {
    return acquireLease(this.#sql(), { name, holder, ttlMs }, nowMs);
  }

  findHeldLease(name: string, nowMs: number = Date.now()): Lease | undefined {
    return findHeldLease(this.#sql(), name, nowMs);
  }

  /** Whether the fence is still its lease's newest, and not released. */
  isAlive(name: string, fence: number): boolean {
    return isAlive(this.#sql(), name, fence);
  }

  /** Says whether the lease was still this fence's to renew. */
  renewLease(name: string, fence: number, ttlMs: number, nowMs: number = Date.now()): boolean {
    return renewLease(this.#sql(), { name, fence, ttlMs }, nowMs);
  }

  releaseLease(name: string, fence: number): boolean {
    return releaseLease(this.#sql(), name, fence);
  }

  /** Forgets the lake. Every fence is dead from here on, so no job can commit to it again. */
  async destroy(): Promise<void> {
    this.#isOpen = false;
    await this.ctx.storage.deleteAll();
  }

  /** Opens on first use, not in the constructor: a destroyed catalog may be asked again by what has not heard of it. */
  #sql(): SqlStorage {
    if (!this.#isOpen) openCatalog(this.ctx.storage, Date.now());
    this.#isOpen = true;
    return this.ctx.storage.sql;
  }
}
