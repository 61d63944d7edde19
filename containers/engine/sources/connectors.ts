// The kinds of database this engine can dial.

import type { Source } from "../source-protocol.ts";
import type { Connector } from "./connector.ts";
import { mysql } from "./mysql.ts";
import { postgres } from "./postgres.ts";

const connectors: { [Type in Source["type"]]: Connector<Type> } = { postgres, mysql };

/** The connector of a source's own type. */
export const connectorOf = <Type extends Source["type"]>(source: Extract<Source, { type: Type }>): Connector<Type> =>
  connectors[source.type as Type];
