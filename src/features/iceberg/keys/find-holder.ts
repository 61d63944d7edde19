import type { Caller } from "../../../core/scope.ts";
import type { Db } from "../../../platform/db/client.ts";
import { selectLakeKeyHolder } from "./store.ts";

/** Who a cluster reads a lake for. Asked of the database each time, so that a revoked key is dead at once. */
export const findLakeKeyHolder = (db: Db, userId: string, keyHash: string): Promise<Caller | undefined> =>
  selectLakeKeyHolder(db, userId, keyHash);
