// Everything that a job can run. A type that is missing here does not compile.

import type { ResourceType } from "../../../core/resource-types.ts";
import { DELIVERY } from "./delivery/delivery.ts";
import { DOC } from "./doc/doc.ts";
import type { ResourceKind } from "./kind.ts";
import { LAKE_MAINTENANCE } from "./maintenance/maintenance.ts";

export const RESOURCES: Record<ResourceType, ResourceKind> = {
  doc: DOC,
  lake_integration_maintenance: LAKE_MAINTENANCE,
  delivery: DELIVERY,
};
