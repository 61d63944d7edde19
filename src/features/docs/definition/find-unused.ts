// Members that the grammar knows, and that nothing here does anything by.

import type { Flaw } from "../../../core/problem.ts";
import { recipientsIn } from "./destinations.ts";
import type { Grammar } from "./grammar.ts";

const VERSION = 1;
const SCHEMA_VERSION = "2025-01";

export function findUnused({ version, schemaVersion, automations = [] }: Grammar): Flaw[] {
  return [
    ...(version === VERSION ? [] : [{ pointer: "/version", message: `It is read as version ${VERSION}.` }]),
    ...(schemaVersion === undefined || schemaVersion === SCHEMA_VERSION
      ? []
      : [{ pointer: "/schemaVersion", message: `It is read as ${SCHEMA_VERSION}.` }]),
    ...automations.flatMap(({ destinations = [] }, i) =>
      destinations.flatMap((destination, j) =>
        recipientsIn(destination).length > 0
          ? []
          : [{ pointer: `/automations/${i}/destinations/${j}`, message: "It names nobody, so nothing is sent there." }],
      ),
    ),
  ];
}
