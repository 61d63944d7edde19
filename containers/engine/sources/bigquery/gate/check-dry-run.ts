// The check of BigQuery's answer to a dry run: only a SELECT is run, and only within the bytes that may be billed.

import { z } from "zod";
import { Failure } from "../../../core/failure.ts";
import { GoogleError } from "../connection/errors.ts";
import { TableReference } from "../connection/resources.ts";

/** The part of a job's `statistics` that the gate checks. Lists of tables, routines and services may be absent. */
const Statistics = z.object({
  totalBytesProcessed: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional(),
  query: z.object({
    statementType: z.string().optional(),
    referencedTables: z.array(TableReference).optional(),
    referencedRoutines: z.array(z.unknown()).optional(),
    referencedPropertyGraphs: z.array(z.unknown()).optional(),
    externalServiceCosts: z.array(z.unknown()).optional(),
    ddlOperationPerformed: z.unknown().optional(),
    dmlStats: z.unknown().optional(),
  }),
});

export type PlannedStatement = {
  /** Undefined means that BigQuery sent no list. */
  tables: readonly TableReference[] | undefined;
  readsGraphs: boolean;
};

/**
 * `statistics`: of the job that was a dry run, as BigQuery sent it. `bytesMax`: in digits. Throws `statement_refused`
 * where it is anything else than a SELECT, runs routines or uses services, and `sql_error` where it would read more.
 * `checkTables` comes before that: how much is read tells of tables beneath views.
 */
export function checkDryRun(
  statistics: unknown,
  bytesMax: string | undefined,
  checkTables?: (planned: PlannedStatement) => void,
): PlannedStatement {
  const { data } = Statistics.safeParse(statistics);
  const query = data?.query;
  if (!query || query.statementType === undefined)
    throw refused("BigQuery did not say what kind of statement it is, so it is not run.");
  if (query.statementType !== "SELECT" || query.ddlOperationPerformed !== undefined || query.dmlStats !== undefined)
    throw refused("BigQuery takes it for a statement that does more than read, so it is not run.");
  if (isFilled(query.referencedRoutines))
    throw refused("It runs functions or procedures of a dataset, itself or by a view: they can run code elsewhere.");
  if (isFilled(query.externalServiceCosts)) throw refused("It uses services outside BigQuery, at a cost of their own.");
  const planned = { tables: query.referencedTables, readsGraphs: isFilled(query.referencedPropertyGraphs) };
  checkTables?.(planned);
  checkBytes(data.totalBytesProcessed, bytesMax);
  return planned;
}

const isFilled = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0;

/** BigQuery refuses the same by itself, where the estimate is not too low. */
function checkBytes(bytes: string | undefined, bytesMax: string | undefined): void {
  if (bytes === undefined || bytesMax === undefined || BigInt(bytes) <= BigInt(bytesMax)) return;
  throw new Failure("sql_error", bytesExceeded(bytesMax, bytes));
}

/** The Failure of a job that BigQuery ended for its bytes; undefined for any other. */
export const explainBytes = (error: unknown, bytesMax: string | undefined): Failure | undefined =>
  bytesMax !== undefined && error instanceof GoogleError && error.reason === "bytesBilledLimitExceeded"
    ? new Failure("sql_error", bytesExceeded(bytesMax), { cause: error })
    : undefined;

const bytesExceeded = (bytesMax: string, bytes?: string): string =>
  `The statement would read ${bytes === undefined ? "more" : `${bytes} bytes, more`} than the ${bytesMax} bytes that ` +
  "may be billed for one (maximum_bytes_billed of the integration). Read fewer columns or partitions, or raise it.";

const refused = (message: string): Failure => new Failure("statement_refused", message);
