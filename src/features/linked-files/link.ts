// The statements of a new link, for whoever makes one.

import type { Db } from "../../platform/db/client.ts";
import type { LinkedFileRow } from "./linked-file.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";
import { countLinkedFiles, insertLinkedFileStatements } from "./store.ts";

/** They fail, and their batch with them, where the team has as many links as it may. */
export const linkStatements = (db: Db, row: LinkedFileRow) => insertLinkedFileStatements(db, row);

export const mayLinkMore = async (db: Db, teamId: string): Promise<boolean> =>
  (await countLinkedFiles(db, teamId)) < LINKED_FILE_LIMITS.perTeamMax;
