// A bound caller's statement may read only tables that the caller's roles open wholly.
//
// It is asked twice. Before anything is sent, of the names in the statement: a view is a table by itself. Then of the
// tables that BigQuery says it reads, which are those beneath views and not the views: so what a view reads has to be
// open as well. Where BigQuery does not say, or its list may be cut off, the answer is no.

import { isSchemaGrantedWhole } from "../../../../../kernel/access/decide-table.ts";
import { checkWholeTables } from "../../access/whole-tables.ts";
import type { CallerAccess } from "../../access/caller-access.ts";
import { notThere } from "../../access/not-there.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import type { TableReference } from "../connection/resources.ts";
import type { PlannedStatement } from "../gate/check-dry-run.ts";
import type { CheckedStatement } from "../gate/check-statement.ts";
import { METADATA_SCHEMA } from "../gate/forbidden.ts";
import { findTableNames } from "./table-names.ts";

/** BigQuery said once that it lists no more tables than these. */
const LISTED_MAX = 50;

/** Datasets tell capitals from small letters, unless they are made otherwise: a name has to be open both ways. */
const FOLDS = [(name: string) => name, (name: string) => name.toLowerCase()] as const;

export class BoundStatement {
  readonly #access: CallerAccess;
  readonly #projectId: string;
  readonly #namesTables: boolean;

  /** Throws `sql_error`, or `statement_refused` where it can't be known which tables it names. */
  constructor({ sql, tokens }: CheckedStatement, access: CallerAccess, projectId: string) {
    this.#access = access;
    this.#projectId = projectId;
    const names = findTableNames(sql, tokens);
    this.#namesTables = names.length > 0;
    this.#check(names.map(({ text }) => this.#resolve(text)));
  }

  /** Throws `sql_error` where the statement that was planned reads more than the roles open. */
  checkPlan({ tables, readsGraphs }: PlannedStatement): void {
    const isUnknown = tables === undefined ? this.#namesTables : tables.length >= LISTED_MAX;
    if (readsGraphs || isUnknown || (this.#namesTables && tables?.length === 0)) throw notThere();
    this.#check((tables ?? []).map((table) => this.#ownTable(table)));
  }

  #check(tables: readonly SourceTableName[]): void {
    if (tables.some(isHidden)) throw notThere();
    for (const fold of FOLDS) {
      const index = this.#access.indexBy(fold);
      checkWholeTables(
        index,
        tables.filter(({ name }) => !isPattern(name)),
      );
      // Tables to come match a pattern too.
      if (tables.some(({ schema, name }) => isPattern(name) && !isSchemaGrantedWhole(index, schema))) throw notThere();
    }
  }

  /** A name as a statement has it, with the project or without. */
  #resolve(text: string): SourceTableName {
    const own = `${this.#projectId}.`;
    const [schema = "", name = "", ...more] = (text.startsWith(own) ? text.slice(own.length) : text).split(".");
    if (schema === "" || name === "" || more.length > 0) throw notThere();
    return { schema, name };
  }

  #ownTable({ projectId, datasetId, tableId }: TableReference): SourceTableName {
    if (projectId !== this.#projectId || datasetId === "" || tableId === "") throw notThere();
    return { schema: datasetId, name: tableId };
  }
}

/** `INFORMATION_SCHEMA` names tables that roles hide, and anonymous datasets hold results of other statements. */
const isHidden = ({ schema, name }: SourceTableName): boolean =>
  schema.startsWith("_") || schema.toUpperCase() === METADATA_SCHEMA || name.startsWith("__");

/** `events_*` reads each table whose name begins so; `$` and `@` take a part of a table, or its past. */
const isPattern = (name: string): boolean => /[*$@]/.test(name);
