import type { Caller } from "../../../core/scope.ts";
import type { Db } from "../../../platform/db/client.ts";
import { selectRunHolder } from "./store.ts";

/**
 * Who the run with this key acts for; nobody once it has ended. Asked of the database each time, and never to be
 * remembered.
 */
export const findRunHolder = (db: Db, userId: string, keyHash: string, now: Date): Promise<Caller | undefined> =>
  selectRunHolder(db, userId, keyHash, now);
