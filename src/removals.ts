// Features that stand above integrations delete their part when an integration is deleted.

import { removeJobsStatements } from "./features/automations/jobs/remove-with-lake.ts";
import type { Dependents } from "./features/integrations/deletion/delete.ts";
import { removeLakeKeyStatements } from "./features/iceberg/keys/remove-with-integration.ts";
import { finishSyncsRemoval, removeSyncsStatements } from "./features/syncs/remove-with-integration.ts";

export const INTEGRATION_DEPENDENTS: Dependents = {
  statements: (db, integration, now) => [
    ...removeLakeKeyStatements(db, integration),
    ...removeSyncsStatements(db, integration, now),
    ...(integration.type === "lake" ? removeJobsStatements(db, integration, now) : []),
  ],
  finish: finishSyncsRemoval,
};
