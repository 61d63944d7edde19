// A transaction at Redshift is opened by these statements.
//
// READ ONLY "gives the transaction read-only permissions", which is all that is published of it, and TRUNCATE is known
// to commit within a transaction: this is a second wall behind the gate, which lets nothing but a SELECT through.

import { fetchRows } from "../postgres/connection/fetch-rows.ts";
import { protocolViolation } from "../postgres/connection/messages.ts";
import type { Wire } from "../postgres/connection/wire.ts";

/**
 * The settings by which the server prints values: times in ISO 8601 and UTC. Redshift has none of PostgreSQL's younger
 * settings, nor a check of whether the client is still connected; the statement's time limit ends it where no program
 * of ours does.
 */
export const OPENING = `
  BEGIN TRANSACTION READ ONLY;
  SET LOCAL datestyle TO 'ISO';
  SET LOCAL timezone TO 'UTC';
  SET LOCAL extra_float_digits TO 2;`;

/** A user's own shorter `statement_timeout` stays. It is told in milliseconds. */
export async function openTransaction(wire: Wire, timeoutMs: number | undefined): Promise<string> {
  if (timeoutMs === undefined) return OPENING;
  const [[own] = protocolViolation("it does not tell its time limit")] = await fetchRows(
    wire,
    "SHOW statement_timeout",
    "t",
  );
  const wanted = Math.max(1, Math.round(timeoutMs));
  const isShorter = !/^\d+$/.test(own!) || (Number(own) > 0 && Number(own) <= wanted);
  return isShorter ? OPENING : `${OPENING} SET LOCAL statement_timeout TO ${wanted};`;
}
