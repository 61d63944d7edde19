// A dataset of a run that builds a table: its SQL with the values of its parameters, then staged in the lake.

import type { StageAnswer, StageRequest, Watermark } from "../../kernel/wire/builds.ts";
import { Failure } from "./core/failure.ts";
import { SINCE, sinceParameter } from "./lake/build/watermark.ts";
import { stageTable } from "./lake/build/stage.ts";
import type { Lake } from "./lake/read/lake.ts";
import { bindParameters, type BoundStatement } from "./parameters/bind-parameters.ts";
import { namedPlaces } from "./parameters/named-places.ts";

/** Rejects with a Failure, whose position is in the SQL as it was sent. */
export async function stageDataset(request: StageRequest, lake: Lake, signal: AbortSignal): Promise<StageAnswer> {
  const { rows, watermark } = request;
  if ("frame" in rows) return stageTable(request, undefined, lake, signal);
  let bound: BoundStatement | undefined;
  const bindTo = (since: Watermark | null): BoundStatement => (bound = bind(rows, watermark && { since }));
  try {
    return await stageTable(request, bindTo, lake, signal);
  } catch (error) {
    throw bound?.rewriteError(error) ?? error;
  }
}

type SqlRows = Extract<StageRequest["rows"], { sql: string }>;

function bind({ sql, parameters = {} }: SqlRows, watermark: { since: Watermark | null } | null): BoundStatement {
  if (!watermark) return bindParameters(sql, parameters, "lake");
  if (watermark.since) return bindParameters(sql, { ...parameters, [SINCE]: sinceParameter(watermark.since) }, "lake");
  return bindParameters(withoutSince(sql), parameters, "lake");
}

/**
 * The SQL of a first run: NULL itself has the type that its place asks for, which the value of a variable has not. It
 * is as long as the name, so that positions stay.
 */
function withoutSince(sql: string): string {
  const places = namedPlaces(sql, "lake").filter(({ name }) => name === SINCE);
  if (places.length === 0)
    throw new Failure(
      "statement_refused",
      `The statement does not name $${SINCE}, which an incremental dataset reads by.`,
    );
  return places.reduce((text, { at, end }) => text.slice(0, at) + "NULL".padEnd(end - at) + text.slice(end), sql);
}
