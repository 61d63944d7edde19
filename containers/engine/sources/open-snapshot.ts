// Opens a source's data as of one moment, for a sync.

import type { Source } from "../contract/source.ts";
import type { SourceOf } from "./connector.ts";
import { MysqlSnapshot } from "./mysql/extraction/snapshot.ts";
import { PostgresSnapshot } from "./postgres/extraction/snapshot.ts";

export type SourceSnapshot = PostgresSnapshot | MysqlSnapshot;

/**
 * Rejects with `connection_failed`. `name` is what PostgreSQL's list of activity shows. To be closed, whatever happens.
 */
export const openSnapshot = (source: Source, name: string, signal: AbortSignal): Promise<SourceSnapshot> =>
  source.type === "postgres"
    ? PostgresSnapshot.open(source.credentials, name, signal)
    : MysqlSnapshot.open((source as SourceOf<"mysql">).credentials, signal);
