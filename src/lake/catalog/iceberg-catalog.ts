// The part of the catalog object that serves Iceberg's clients: tables with their metadata, for who reads them whole.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { noTable } from "../access/no-table.ts";
import type { ReaderName } from "../access/readers.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { keepWritten, replaceMetadata, type WrittenObject } from "../iceberg/objects.ts";
import { findTable, listTables, openTable, type OpenedTable } from "../iceberg/open-table.ts";
import { pinTables, releasePins, type Pin, type ReadHold } from "../iceberg/pin-tables.ts";
import { planManifests, type ManifestPlan } from "../iceberg/plan-manifests.ts";
import { readFiles, type ManifestRequest, type ManifestRows } from "../iceberg/read-files.ts";
import { StoredCatalog } from "./stored-catalog.ts";

/** A table for its reader, and the version that is asked about. */
export type IcebergQuestion = LakeTableName & { tableId: number; version: number };

export abstract class IcebergCatalog extends StoredCatalog {
  listIcebergTables(name: ReaderName): Answer<{ schemas: string[]; tables: LakeTableName[] }> {
    return this.readBy(name, (reader) => accept(listTables(this.sql(), reader)));
  }

  openIcebergTable(table: LakeTableName, name: ReaderName): Answer<OpenedTable> {
    return this.readBy(name, (reader) => openTable(this.sql(), table, reader));
  }

  /** A pin of each table, in the order of the names: what it pins stays until it is released, or its time is over. */
  pinIcebergTables(
    tables: readonly LakeTableName[],
    hold: ReadHold,
    name: ReaderName,
    nowMs: number = Date.now(),
  ): Answer<Pin[]> {
    return this.readBy(name, (reader) => pinTables(this.storage(), { tables, hold }, reader, nowMs));
  }

  /** Says whether anything was held for the statement. */
  releasePins(statementId: string): boolean {
    return releasePins(this.sql(), statementId);
  }

  /** The objects that make up the version's metadata. They are spared from here on, and those not written are due. */
  planIcebergManifests(table: IcebergQuestion, name: ReaderName): Answer<ManifestPlan> {
    return this.#readTable(table, name, ({ folder }) => planManifests(this.storage(), { ...table, folder }));
  }

  readIcebergFiles(table: LakeTableName & ManifestRequest, name: ReaderName): Answer<ManifestRows> {
    return this.#readTable(table, name, () => accept(readFiles(this.sql(), table)));
  }

  /** The object of the version's metadata of this key, in the place of the one before. */
  replaceIcebergMetadata(
    table: IcebergQuestion & { profile: string; key: string },
    name: ReaderName,
    nowMs: number = Date.now(),
  ): Answer<{ objectId: number; path: string }> {
    return this.#readTable(table, name, ({ folder }) =>
      accept(replaceMetadata(this.storage(), { ...table, folder }, nowMs)),
    );
  }

  /** Says whether all of them are still there to be noted. */
  keepIcebergObjects(written: WrittenObject[]): boolean {
    return keepWritten(this.storage(), written);
  }

  /** Rights are judged anew with each question: a name may stand for another table by now. */
  readonly #readTable = <Value>(
    table: LakeTableName & { tableId: number },
    name: ReaderName,
    read: (opened: { folder: string }) => Answer<Value>,
  ): Answer<Value> =>
    this.readBy(name, (reader) => {
      const found = findTable(this.sql(), table, reader);
      if (!found.ok) return found;
      return found.value.tableId === table.tableId ? read(found.value) : noTable(table);
    });
}
