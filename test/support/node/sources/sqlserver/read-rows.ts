// A statement's result through the connector, as texts.

import type { SourceStatement } from "../../../../../containers/engine/sources/connector.ts";
import { sqlserver } from "../../../../../containers/engine/sources/sqlserver/connector.ts";
import type { Column, Row } from "../../../../../containers/engine/formats/result.ts";
import type { FakeSqlServer } from "./fake-sqlserver.ts";

export type Read = { columns: Column[]; rows: (string | null)[][] };

export const textsOf = ({ bytes, starts, ends }: Row): (string | null)[] =>
  Array.from(starts, (start, i) =>
    ends[i]! < 0 ? null : Buffer.from(bytes.subarray(start, ends[i]!)).toString("utf8"),
  );

export function readRows(
  server: FakeSqlServer,
  sql: string,
  more: Partial<SourceStatement<"sqlserver">> = {},
): Promise<Read> {
  const common = { source: server.source(), sql, access: "everything" as const, signal: AbortSignal.timeout(60_000) };
  return sqlserver.query({ ...common, ...more }, async ({ columns, rows }) => {
    const read: Read = { columns, rows: [] };
    await rows((row) => {
      read.rows.push(textsOf(row));
      return true;
    });
    return read;
  });
}
