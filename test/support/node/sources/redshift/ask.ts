// A statement at the fake of Redshift, through the connector.

import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import type { Column } from "../../../../../containers/engine/formats/result.ts";
import type { CallerAccess } from "../../../../../containers/engine/sources/access/caller-access.ts";
import type { SourceOf } from "../../../../../containers/engine/sources/connector.ts";
import { redshift } from "../../../../../containers/engine/sources/redshift/connector.ts";
import type { FakeRedshift } from "./fake-redshift.ts";

type QueryOptions = {
  source?: SourceOf<"redshift">;
  signal?: AbortSignal;
  deadlineMs?: number;
  access?: CallerAccess;
  values?: readonly BoundValue[];
  /** Called for each row, which is then not kept. */
  take?(): boolean;
};

export type Answer = { columns: Column[]; rows: (string | null)[][] };

/** Rejects as the connector does. Cells are canonical text. */
export async function ask(fake: FakeRedshift, sql: string, asked: QueryOptions = {}): Promise<Answer> {
  const {
    source = fake.source(),
    signal = new AbortController().signal,
    take,
    deadlineMs,
    access = "everything",
    values,
  } = asked;
  const rows: Answer["rows"] = [];
  const columns = await redshift.query(
    { source, sql, signal, access, values, id: "test", ...(deadlineMs === undefined ? {} : { deadlineMs }) },
    async (result) => {
      await result.rows(({ bytes, starts, ends }) => {
        if (take) return take();
        const cells = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        rows.push([...starts].map((start, i) => (ends[i]! < 0 ? null : cells.toString("utf8", start, ends[i]))));
        return true;
      });
      return result.columns;
    },
  );
  return { columns, rows };
}
