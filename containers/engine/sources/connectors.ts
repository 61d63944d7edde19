// The kinds of database this engine can dial.

import type { Source } from "../contract/source.ts";
import type { Connector } from "./connector.ts";
import { mysql } from "./mysql/connector.ts";
import { postgres } from "./postgres/connector.ts";

const connectors: { [Type in Source["type"]]: Connector<Type> } = { postgres, mysql };

/** The connector of a source's own type. */
export const connectorOf = <Type extends Source["type"]>(source: Extract<Source, { type: Type }>): Connector<Type> =>
  connectors[source.type as Type];
