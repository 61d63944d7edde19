// Stored credentials with some fields changed, and what may not be changed without sending the secret again. Pure.

import type { z } from "@hono/zod-openapi";
import { SSL_MODES, type DatabaseCredentials, type Source } from "../../../../kernel/wire/source.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import { SlackCredentials } from "./credentials.ts";
import { TrinoCredentials } from "./trino.ts";
import { isDatabase, parseSource } from "./source.ts";

/** `null` takes a field back. Throws a Problem with each flaw, at `/credentials/<field>`. */
export function changeCredentials(stored: Source, given: Record<string, unknown>): Source {
  const changed = parseSource(stored.type, merge(stored.credentials, given));
  if ("issues" in changed) throw notValid(changed.issues);
  if (!("password" in given)) refuseToCarryPassword(stored, changed.source);
  return changed.source;
}

/** {@link changeCredentials} of Slack. */
export function changeSlackCredentials(stored: SlackCredentials, given: Record<string, unknown>): SlackCredentials {
  const changed = SlackCredentials.safeParse(merge(stored, given));
  if (!changed.success) throw notValid(changed.error.issues);
  return changed.data;
}

/**
 * {@link changeCredentials} of a team's own Trino. A password takes the place of a token, and the other way round. What
 * is stored goes to the host it was given for, and to no other, verified by the certificates it was given with.
 */
export function changeTrinoCredentials(stored: TrinoCredentials, given: Record<string, unknown>): TrinoCredentials {
  const kept = { ...stored };
  if (typeof given["token"] === "string") delete kept.password;
  if (typeof given["password"] === "string") delete kept.token;
  const changed = TrinoCredentials.safeParse(merge(kept, given));
  if (!changed.success) throw notValid(changed.error.issues);
  // A secret that is kept was sent to no other: null takes one back, and leaves the other where it is.
  const isCarried = (["password", "token"] as const).some(
    (secret) => changed.data[secret] !== undefined && typeof given[secret] !== "string",
  );
  const change = changeOfCluster(stored, changed.data);
  if (isCarried && change !== undefined)
    throw invalidAt(
      stored.token === undefined ? "/credentials/password" : "/credentials/token",
      `Send the secret again when ${change}.`,
    );
  return changed.data;
}

function changeOfCluster(stored: TrinoCredentials, changed: TrinoCredentials): string | undefined {
  if (changed.url !== stored.url) return "the URL changes";
  return changed.sslrootcert === stored.sslrootcert ? undefined : "sslrootcert changes";
}

const merge = (stored: object, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null));

function notValid(issues: readonly z.core.$ZodIssue[]): Problem {
  const flaws = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ pointer: `/credentials/${key}`, message: "This field is not known here." }))
      : [{ pointer: `/credentials/${issue.path.join("/")}`, message: issue.message }],
  );
  return new Problem("validation_failed", "One or more credentials are not valid.", flaws);
}

/**
 * A stored password goes to the server it was given for, and to no other: whoever runs that one could read it there.
 * Nor does it go there with less protection than it had: whoever stands in between could. (A service account's key goes
 * nowhere: it signs.)
 */
function refuseToCarryPassword(stored: Source, changed: Source): void {
  const change = changeOfServer(stored, changed);
  if (change === undefined) return;
  const message = `Send the password again when ${change}.`;
  throw invalidAt("/credentials/password", message);
}

function changeOfServer(stored: Source, changed: Source): string | undefined {
  if (stored.type === "snowflake" && changed.type === "snowflake")
    return stored.credentials.account === changed.credentials.account ? undefined : "the account changes";
  if (!isDatabase(stored) || !isDatabase(changed)) return undefined;
  const [before, after] = [stored.credentials, changed.credentials];
  if (before.host !== after.host || before.port !== after.port) return "the host or the port changes";
  return weakeningOf(before, after);
}

/** The change that protects the password less than before, in words. */
function weakeningOf(stored: DatabaseCredentials, merged: DatabaseCredentials): string | undefined {
  const [before, after] = [stored, merged].map(({ sslmode = "prefer" }) => SSL_MODES.indexOf(sslmode)) as [
    number,
    number,
  ];
  if (after < before) return "sslmode becomes a weaker one";
  // A mode that does not verify has no certificates to change.
  if (before >= SSL_MODES.indexOf("verify-ca") && merged.sslrootcert !== stored.sslrootcert)
    return "sslrootcert changes";
  if (merged.allow_cleartext_password && !stored.allow_cleartext_password)
    return "allow_cleartext_password is turned on";
  return undefined;
}
