// The kinds of database this engine can dial.
//
// To add a kind:
//  1. `kernel/wire/source.ts`: its member of `Source`, which the Worker sends; the Worker's list and credentials are in
//     `src/features/integrations/credentials/credentials.ts`.
//  2. A folder here, like `sqlserver/`: `connection/` (login and wire), `gate/` (which statements are sent at all),
//     `rows/` (values as canonical text, for queries and syncs alike), `introspect.ts`, and `connector.ts`, which is
//     listed below. Introspection and snapshots say by the same `folding` how the source takes names.
//  3. To sync it: `extraction/` with a `SourceSnapshot` (`snapshot.ts`), which lists and describes tables, reads rows
//     (canonical text by `extract/text-cells.ts`), and says what changed since the last run: where the database can
//     hash, by a dialect for `digests/`.
//
// Where a statement is refused: `gate/check-statement.ts` of each kind; functions and tables that no statement may use
// are listed in `gate/forbidden.ts` beside it. A statement that the gate lets through runs in a read-only transaction,
// or in one that is rolled back, where the source has transactions (`connector.ts`). The rules for bound callers of a
// source are in its folder `access/`: without a parser of the source's own, tables wholly or not at all
// (`access/whole-tables.ts`). The conformance suite asks each kind that they read nothing else.

import type { Source } from "../../../kernel/wire/source.ts";
import type { Connector, SourceOf } from "./connector.ts";

/** A kind's folder is loaded when a source of it is first asked for something: drivers are large. */
const lazy = <Type extends Source["type"]>(load: () => Promise<Connector<Type>>): Connector<Type> => ({
  test: async (source, signal) => (await load()).test(source, signal),
  introspect: async (source, signal) => (await load()).introspect(source, signal),
  query: async (statement, use) => (await load()).query(statement, use),
  openSnapshot: async (source, name, signal) => (await load()).openSnapshot(source, name, signal),
});

const CONNECTORS: { [Type in Source["type"]]: Connector<Type> } = {
  postgres: lazy(async () => (await import("./postgres/connector.ts")).postgres),
  mysql: lazy(async () => (await import("./mysql/connector.ts")).mysql),
  redshift: lazy(async () => (await import("./redshift/connector.ts")).redshift),
  sqlserver: lazy(async () => (await import("./sqlserver/connector.ts")).sqlserver),
  bigquery: lazy(async () => (await import("./bigquery/connector.ts")).bigquery),
  snowflake: lazy(async () => (await import("./snowflake/connector.ts")).snowflake),
};

/** The connector of a source's own type. */
export const connectorOf = <Type extends Source["type"]>(source: SourceOf<Type>): Connector<Type> =>
  CONNECTORS[source.type as Type];
