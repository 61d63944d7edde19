// The key of an integration is deleted with it.

import type { Db } from "../../../platform/db/client.ts";
import { deleteLakeKeyRow } from "./store.ts";

export const removeLakeKeyStatements = (db: Db, { teamId, id }: { teamId: string; id: string }) => [
  deleteLakeKeyRow(db, teamId, id),
];
