// A source by its kind and credentials: what may be shown of them, and what is remembered of a connection. Pure.

import type { z } from "@hono/zod-openapi";
import type { DatabaseCredentials, Source } from "../../../../kernel/wire/source.ts";
import { LIMITS } from "../../../core/limits.ts";
import { CREDENTIALS, type SourceType } from "./credentials.ts";

/** The sources that are reached by host and port. */
export type DatabaseSource = Extract<Source, { credentials: DatabaseCredentials }>;

export const isDatabase = (source: Source): source is DatabaseSource => "host" in source.credentials;

/** The source of a kind, or what is wrong with its credentials, whatever their origin. */
export function parseSource(
  type: SourceType,
  credentials: unknown,
): { source: Source } | { issues: readonly z.core.$ZodIssue[] } {
  const parsed = CREDENTIALS[type].safeParse(credentials);
  return parsed.success ? { source: { type, credentials: parsed.data } as Source } : { issues: parsed.error.issues };
}

/** The parts of a source's credentials that a listing may show. */
export function detailsOf(source: Source): Record<string, string> {
  switch (source.type) {
    case "bigquery": {
      const { credentials_json: keyFile, ...shown } = source.credentials;
      return present({ ...shown, client_email: accountOf(keyFile) });
    }
    case "snowflake": {
      const { password: _, ...shown } = source.credentials;
      return present(shown);
    }
    default: {
      const { host, port, database, username, sslmode = "prefer" } = source.credentials;
      return { host, port, database, username, sslmode };
    }
  }
}

const present = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));

/** The service account's name; undefined where the file tells none. */
function accountOf(keyFile: string): string | undefined {
  try {
    const { client_email: account } = JSON.parse(keyFile) as { client_email?: unknown };
    return typeof account === "string" && account.length <= ACCOUNT_CHARACTERS_MAX ? account : undefined;
  } catch {
    return undefined;
  }
}

const ACCOUNT_CHARACTERS_MAX = 320;

/** The name of a source nobody named. */
export function defaultName(source: Source): string {
  const { type } = source;
  const place =
    type === "bigquery"
      ? source.credentials.project_id
      : type === "snowflake"
        ? `${source.credentials.database}@${source.credentials.account}`
        : `${source.credentials.database}@${source.credentials.host}`;
  return `${type}: ${place}`.slice(0, LIMITS.nameCharactersMax);
}

/** A server that was seen to offer TLS is held to it: if it offers none later, somebody may stand in between. */
export function rememberTls(source: Source, wasEncrypted: boolean): Source {
  if (!isDatabase(source) || !wasEncrypted || (source.credentials.sslmode ?? "prefer") !== "prefer") return source;
  return { ...source, credentials: { ...source.credentials, sslmode: "require" } };
}
