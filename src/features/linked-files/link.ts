// The statements of a new link, for whoever makes one.

import type { Db } from "../../platform/db/client.ts";
import type { LinkedFileRow } from "./linked-file.ts";
import { insertLinkedFileStatements } from "./store.ts";

/** They fail, and their batch with them, where the team has as many links as it may. */
export const linkStatements = (db: Db, row: LinkedFileRow) => insertLinkedFileStatements(db, row);
