// One lake's catalog: the single writer of its tables, and the holder of its leases. The object is named by the lake's id.

import { DurableObject } from "cloudflare:workers";
import type { CommitAnswer, LakeDescription, TablePlan } from "../../../containers/engine/lake-protocol.ts";
import type { Answer } from "./answer.ts";
import { commitToCatalog, type JobCommit } from "./commit.ts";
import { readHead } from "./commit-state.ts";
import { describeCatalog, listTables } from "./describe.ts";
import { acquireLease, findHeldLease, isAlive, releaseLease, renewLease, type Lease } from "./leases.ts";
import { openCatalog } from "./open-catalog.ts";
import { pathsOfFiles, planTables } from "./plan.ts";

/** `nowMs` is the object's own clock unless a test says otherwise: leases of several Workers are then judged by one clock. */
export class CatalogObject extends DurableObject<Env> {
  #isOpen = false;

  currentSnapshot(): { snapshotId: number } {
    return { snapshotId: readHead(this.#sql()).snapshotId };
  }

  describe(snapshotId: number): Answer<LakeDescription> {
    return describeCatalog(this.#sql(), snapshotId);
  }

  plan(snapshotId: number, tableIds: number[]): Answer<TablePlan[]> {
    return planTables(this.#sql(), snapshotId, tableIds);
  }

  /** Paths relative to the lake's root, of files that belong to a table at the snapshot. */
  pathsOf(snapshotId: number, fileIds: number[]): Answer<Record<number, string>> {
    return pathsOfFiles(this.#sql(), snapshotId, fileIds);
  }

  /** A schema's tables as of now, with their rows. */
  listTables(schema: string): { schema: string; name: string; rows: number }[] {
    return listTables(this.#sql(), schema);
  }

  commit(request: JobCommit, nowMs: number = Date.now()): Answer<CommitAnswer> {
    this.#sql();
    return commitToCatalog(this.ctx.storage, request, nowMs);
  }

  acquireLease(name: string, holder: string, ttlMs: number, nowMs: number = Date.now()): Answer<{ fence: number }> {
    return acquireLease(this.#sql(), name, holder, ttlMs, nowMs);
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
    return renewLease(this.#sql(), name, fence, ttlMs, nowMs);
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
