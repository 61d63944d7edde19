// Members that the grammar knows, and that nothing here does anything by.

import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { findUnshown } from "../../../../kernel/docs/unshown.ts";
import type { Flaw } from "../../../core/problem.ts";
import { recipientsIn, unreadIn } from "./destinations.ts";
import type { Grammar } from "./grammar.ts";

const VERSION = 1;
const SCHEMA_VERSION = "2025-01";

export function findUnused(grammar: Grammar): Flaw[] {
  const { version, schemaVersion, automations = [] } = grammar;
  return [
    ...(version === VERSION ? [] : [{ pointer: "/version", message: `It is read as version ${VERSION}.` }]),
    ...(schemaVersion === undefined || schemaVersion === SCHEMA_VERSION
      ? []
      : [{ pointer: "/schemaVersion", message: `It is read as ${SCHEMA_VERSION}.` }]),
    ...automations.flatMap(({ destinations = [] }, i) =>
      destinations.flatMap((destination, j) =>
        recipientsIn(destination).length > 0
          ? unreadIn(destination).map((key) => ({
              pointer: `/automations/${i}/destinations/${j}${pointerStep(key)}`,
              message: "A destination of this type has no use for it; it is kept.",
            }))
          : [{ pointer: `/automations/${i}/destinations/${j}`, message: "It names nobody, so nothing is sent there." }],
      ),
    ),
    ...findUnshown(grammar),
  ];
}
