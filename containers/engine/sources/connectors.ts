// The kinds of database this engine can dial.
//
// To add a kind:
//  1. `contract/source.ts`: its member of `Source`, which the Worker sends; the Worker's own list and credentials are
//     in `src/features/integrations/credentials.ts`.
//  2. A folder here, like `postgres/`: `connection/` (login and wire), `gate/` (which statements are sent at all),
//     `rows/` (a query's rows as canonical text), `introspect.ts`, and `connector.ts`, which is listed below.
//  3. To sync it: `extraction/` with a `ReadableSnapshot`, opened in `open-snapshot.ts`; what changed since the last
//     run is found in `jobs/sync/changes/`, tables are listed in `jobs/sync/tables/`.
//
// Where a statement is refused: `gate/check-statement.ts` of each kind; functions and tables that no statement may use
// are listed in `gate/forbidden.ts` beside it. What the gate lets through runs in a read-only transaction
// (`connector.ts`). What callers who are bound by data-access roles see of a source is in its folder `access/`.

import type { Source } from "../contract/source.ts";
import type { Connector, SourceOf } from "./connector.ts";
import { mysql } from "./mysql/connector.ts";
import { postgres } from "./postgres/connector.ts";

const CONNECTORS: { [Type in Source["type"]]: Connector<Type> } = { postgres, mysql };

/** The connector of a source's own type. */
export const connectorOf = <Type extends Source["type"]>(source: SourceOf<Type>): Connector<Type> =>
  CONNECTORS[source.type as Type];
