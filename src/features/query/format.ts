// The choice of the result format that a caller asks for.

import { FORMATS, type Format } from "../../../kernel/wire/engine-program.ts";
import { Problem } from "../../core/problem.ts";
import { chooseMediaType } from "../../http/request/media-types.ts";

export const MEDIA_TYPES: Record<Format, string> = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  parquet: "application/vnd.apache.parquet",
};

/** A caller who takes anything gets JSON. Throws `not_acceptable` when no format is taken. */
export function chooseFormat(accept: string | undefined): Format {
  const chosen = chooseMediaType(
    accept ?? "*/*",
    FORMATS.map((format) => MEDIA_TYPES[format]),
  );
  const format = FORMATS.find((one) => MEDIA_TYPES[one] === chosen);
  if (!format) throw new Problem("not_acceptable", `Accept one of ${Object.values(MEDIA_TYPES).join(", ")}.`);
  return format;
}
