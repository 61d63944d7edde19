// The catalog object of a lake is named by the lake's id. It is the single writer of its tables, and the holder of its
// leases.

import type { AccessRoles } from "../../../kernel/access/access.ts";
import type { CatalogOutline, RowsAnswer } from "../../../kernel/lake/export.ts";
import type { LakeTableName, Predicate, TablePlan } from "../../../kernel/lake/lake.ts";
import type { CommitAnswer, UploadTarget } from "../../../kernel/lake/commit.ts";
import type { JobOutcome, JobProgress, TablesAnswer } from "../../../kernel/jobs/job.ts";
import type { ReaderName } from "../access/readers.ts";
import { hiddenFrom, type HiddenTable } from "../plan/hidden-tables.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { browseComments, type Comments } from "../browse/comments.ts";
import { browseTable, type BrowsedTable } from "../browse/columns.ts";
import { outlineCatalog, readPage } from "../browse/export.ts";
import { browseSnapshots, type SnapshotPage } from "../browse/snapshots.ts";
import { browseTables, type BrowsedTables } from "../browse/tables.ts";
import { commitToCatalog, findCommit, type JobCommit } from "../commit/commit.ts";
import { readHead } from "../state/state.ts";
import { describeCatalog, describeSchema, findSnapshot, listTables } from "../plan/describe.ts";
import type { MaintenanceLevel } from "../../../kernel/lake/maintenance.ts";
import { dryRunMaintenance, type MaintenanceDryRun } from "../maintenance/dry-run.ts";
import { makeStatisticsExact, type StatisticsStep } from "../maintenance/exact-statistics.ts";
import type { LakeFigures } from "../../../kernel/lake/figures.ts";
import { measureLake } from "../maintenance/measure.ts";
import { planCompaction, type CompactionRequest, type PlannedCompaction } from "../maintenance/plan-compaction.ts";
import { confirmDeleted, listDueFiles, type ScheduledFile } from "../maintenance/due-files.ts";
import { expireDue, expireSnapshots, type Expired, type ExpiredStep, type Expiry } from "../maintenance/expire.ts";
import { findOutcome, findProgress, keepOutcome, keepProgress, type Reported } from "../writers/job-reports.ts";
import { acquireLease, findHeldLease, isAlive, recordBase, releaseLease, renewLease } from "../writers/leases.ts";
import type { Lease, LeaseHolder } from "../writers/leases.ts";
import { IcebergCatalog } from "./iceberg-catalog.ts";
import { listOptions, setOption, type Option, type OptionPlace } from "../maintenance/options.ts";
import { statesOfObjects, type ObjectState } from "../maintenance/object-states.ts";
import { claimTables, findOwner, keepTables, releaseOwner, type OwnedTable, type Owner } from "../writers/owners.ts";
import { describeNamed, type DescribedTables, type NamedTables } from "../plan/named-tables.ts";
import { pathsOfFiles, planTables } from "../plan/plan.ts";
import { endStatement, openStatement, type NewStatement, type OpenStatement } from "../commit/statements.ts";
import type { StatementEnd } from "../commit/statements.ts";
import { forgetNotes, noteOfTable, readNotes } from "../writers/notes.ts";
import { uploadFolders } from "../writers/upload-folders.ts";

/** `nowMs` is the object's own clock unless a test says otherwise: one clock judges the leases of all Workers. */
export class CatalogObject extends IcebergCatalog {
  currentSnapshot(): { snapshotId: number } {
    return { snapshotId: readHead(this.sql()).snapshotId };
  }

  /** A digest is answered by its roles; those that are not known are to be kept. */
  openReader(name: ReaderName, nowMs: number = Date.now()): { snapshotId: number; isKnown: boolean } {
    const { snapshotId } = this.currentSnapshot();
    return { snapshotId, isKnown: name === "everything" || this.access.use(this.ctx.storage, name, nowMs) };
  }

  /** The lake may be gone: the reader is null where it is, and nothing is laid out. */
  peekReader(name: ReaderName): { snapshotId: number; isKnown: boolean } | null {
    return this.catalog.isThere ? this.openReader(name) : null;
  }

  keepAccess(digest: string, roles: AccessRoles, nowMs: number = Date.now()): void {
    this.access.keep(this.storage(), digest, roles, nowMs);
  }

  describe(snapshotId: number, name: ReaderName): ReturnType<typeof describeCatalog> {
    return this.readBy(name, (reader) => describeCatalog(this.sql(), snapshotId, reader));
  }

  describeNamed(snapshotId: number, named: NamedTables, name: ReaderName): Answer<DescribedTables> {
    return this.readBy(name, (reader) => describeNamed(this.sql(), snapshotId, { ...named, reader }));
  }

  /** What is hidden from the reader, for whoever decides by it; never for the reader. */
  hiddenTables(snapshotId: number, name: ReaderName): Answer<HiddenTable[]> {
    return this.readBy(name, (reader) => hiddenFrom(reader, this.sql(), snapshotId));
  }

  /** `asked` are members of a plan's request. A job that asks works from this snapshot from here on, and keeps it. */
  plan(
    snapshotId: number,
    tableIds: number[],
    asker: LeaseHolder | ReaderName,
    asked: { anyOf?: Predicate[][] | undefined; columnIds?: number[] | undefined } = {},
  ): Answer<TablePlan[]> {
    const job = typeof asker === "object" ? asker : undefined;
    return this.readBy(typeof asker === "object" ? "everything" : asker, (reader) => {
      const planned = planTables(this.sql(), snapshotId, { tableIds, reader, ...asked });
      if (planned.ok && job) recordBase(this.sql(), job, snapshotId);
      return planned;
    });
  }

  /** Paths relative to the lake's root, of files that belong to a table at the snapshot. */
  pathsOf(snapshotId: number, fileIds: number[], name: ReaderName): Answer<Record<number, string>> {
    return this.readBy(name, (reader) => pathsOfFiles(this.sql(), snapshotId, fileIds, reader));
  }

  browseTables(tablesMax: number, name: ReaderName, columnsMax = 0): Answer<BrowsedTables> {
    return this.readBy(name, (reader) => accept(browseTables(this.sql(), { tablesMax, columnsMax }, reader)));
  }

  browseTable(table: LakeTableName, name: ReaderName): Answer<BrowsedTable> {
    return this.readBy(name, (reader) => browseTable(this.sql(), table, reader));
  }

  browseComments(commentsMax: number, name: ReaderName): Answer<Comments> {
    return this.readBy(name, (reader) => accept(browseComments(this.sql(), commentsMax, reader)));
  }

  browseSnapshots(table: LakeTableName, snapshotsMax: number, name: ReaderName): Answer<SnapshotPage> {
    return this.readBy(name, (reader) => browseSnapshots(this.sql(), table, snapshotsMax, reader));
  }

  outline(snapshotId: number): Answer<CatalogOutline> {
    return outlineCatalog(this.sql(), snapshotId);
  }

  readPage(snapshotId: number, table: string, after: number | null): Answer<RowsAnswer> {
    return readPage(this.sql(), snapshotId, table, after);
  }

  /** A schema's tables as of now, with their rows. */
  listTables(schema: string): { schema: string; name: string; rows: number }[] {
    return listTables(this.sql(), schema);
  }

  findSnapshot(asked: Parameters<typeof findSnapshot>[1]): number | null {
    return findSnapshot(this.sql(), asked);
  }

  /** Permission for one statement to upload and commit. */
  openStatement(statement: NewStatement, nowMs: number = Date.now()): Answer<OpenStatement> {
    return openStatement(this.storage(), statement, nowMs);
  }

  /** Ends one sending of a statement, and answers what became of it. A lake that is gone takes no commit. */
  endStatement(sent: Pick<NewStatement, "key" | "jobId">, nowMs: number = Date.now()): StatementEnd {
    return this.catalog.isThere ? endStatement(this.storage(), sent, nowMs) : "unwritten";
  }

  /** The snapshot that a statement has written; null where it has written none so far. */
  writtenBy(key: string): number | null {
    return findCommit(this.sql(), key) ?? null;
  }

  commit(request: JobCommit, nowMs: number = Date.now()): Answer<CommitAnswer> {
    return commitToCatalog(this.storage(), request, nowMs);
  }

  /** One schema's tables as of now, with their columns. A job that asks works from this snapshot, and keeps it. */
  describeSchema(schema: string, asker?: LeaseHolder): TablesAnswer {
    const { snapshotId } = readHead(this.sql());
    if (asker) recordBase(this.sql(), asker, snapshotId);
    return { snapshotId, tables: describeSchema(this.sql(), snapshotId, schema) };
  }

  /** Where a job's files for tables go, in their order; refused once its fence is dead. */
  uploadFolders(job: LeaseHolder & { jobId: string }, tables: UploadTarget[]): Answer<string[]> {
    return uploadFolders(this.sql(), job, tables);
  }

  /** What commits kept under the keys. */
  notesOf(keys: string[]): Record<string, string | null> {
    return readNotes(this.sql(), keys);
  }

  /** A note about a table, and whether it is about the table that has the name now. */
  noteOfTable(keys: { key: string; beside: string }, table: LakeTableName): ReturnType<typeof noteOfTable> {
    return noteOfTable(this.sql(), keys, table);
  }

  forgetNotes(prefix: string, kept: string[] = []): number {
    return forgetNotes(this.sql(), prefix, kept);
  }

  /** Claims all the tables for a sync, or, answering those that are another's, none. */
  claimTables(owner: Owner, tables: LakeTableName[]): OwnedTable[] {
    return claimTables(this.storage(), owner, tables);
  }

  /** Claims all the tables and releases the sync's others, or, answering those that are another's, neither. */
  keepTables(owner: Owner, tables: LakeTableName[]): OwnedTable[] {
    return keepTables(this.storage(), owner, tables);
  }

  releaseOwner(owner: string): number {
    return releaseOwner(this.sql(), owner);
  }

  ownerOf(schema: string, name: string): Owner | undefined {
    return findOwner(this.sql(), schema, name);
  }

  keepProgress(lease: string, fence: number, progress: JobProgress): Answer<null> {
    return keepProgress(this.storage(), lease, fence, progress);
  }

  keepOutcome(lease: string, fence: number, outcome: JobOutcome): Answer<null> {
    return keepOutcome(this.storage(), lease, fence, outcome);
  }

  /** The last that the newest job under the lease to say anything has said of how far it is. */
  progressOf(lease: string): Reported<JobProgress> | undefined {
    return findProgress(this.sql(), lease);
  }

  outcomeOf(lease: string): Reported<JobOutcome> | undefined {
    return findOutcome(this.sql(), lease);
  }

  /** Forgets snapshots, and schedules the files that only they read. */
  expireSnapshots(expiry: Expiry, nowMs: number = Date.now()): Expired {
    return expireSnapshots(this.storage(), expiry, nowMs);
  }

  /** One step of the expiry that the lake's rules ask for; a live job's and statement's snapshots are spared. */
  expireDue(nowMs: number = Date.now()): ExpiredStep {
    return expireDue(this.storage(), nowMs);
  }

  /** The next compactions for the job that holds the lease, as of the newest snapshot. */
  planCompaction(holder: LeaseHolder, request: CompactionRequest, nowMs = Date.now()): Answer<PlannedCompaction> {
    return planCompaction(this.storage(), holder, request, nowMs);
  }

  /** One step over all tables; `after` is the `next` of the one before. */
  makeStatisticsExact(after: string | null): Answer<StatisticsStep> {
    return makeStatisticsExact(this.storage(), after);
  }

  /** Figures of the lake, and of as many tables as are asked for. */
  measure(tablesMax: number, nowMs: number = Date.now()): LakeFigures {
    return measureLake(this.sql(), tablesMax, nowMs);
  }

  /** What a maintenance would do now. */
  dryRunMaintenance(level: MaintenanceLevel, tablesMax: number, nowMs: number = Date.now()): MaintenanceDryRun {
    return dryRunMaintenance(this.sql(), level, { tablesMax, nowMs });
  }

  /** Files scheduled before the instant, whose objects may be deleted. */
  listDueFiles(scheduledBeforeMs: number, max: number): ScheduledFile[] {
    return listDueFiles(this.sql(), scheduledBeforeMs, max);
  }

  confirmDeleted(fileIds: number[]): number {
    return confirmDeleted(this.sql(), fileIds);
  }

  /** What each of the objects at these paths, relative to the lake's root, is to the catalog; in their order. */
  statesOfObjects(paths: string[], nowMs: number = Date.now()): ObjectState[] {
    return statesOfObjects(this.sql(), paths, nowMs);
  }

  setOption(key: string, value: string | null, place?: OptionPlace): Answer<null> {
    return setOption(this.sql(), key, value, place);
  }

  listOptions(place?: OptionPlace): Answer<Option[]> {
    return listOptions(this.sql(), place);
  }

  acquireLease(name: string, holder: string, ttlMs: number, nowMs: number = Date.now()): Answer<{ fence: number }> {
    return acquireLease(this.sql(), { name, holder, ttlMs }, nowMs);
  }

  findHeldLease(name: string, nowMs: number = Date.now()): Lease | undefined {
    return findHeldLease(this.sql(), name, nowMs);
  }

  /** Whether the fence is still its lease's newest, and not released. */
  isAlive(name: string, fence: number): boolean {
    return isAlive(this.sql(), name, fence);
  }

  /** Says whether the lease was still this fence's to renew. */
  renewLease(name: string, fence: number, ttlMs: number, nowMs: number = Date.now()): boolean {
    return renewLease(this.sql(), { name, fence, ttlMs }, nowMs);
  }

  releaseLease(name: string, fence: number): boolean {
    return releaseLease(this.sql(), name, fence);
  }

  /** Forgets the lake. Every fence is dead from here on, so no job can commit to it again. */
  async destroy(): Promise<void> {
    this.catalog.close();
    this.access.clear();
    await this.ctx.storage.deleteAll();
  }
}
