// The parts of Snowflake's credentials that become a host to dial, or names that are sent, are checked before anything
// is dialled.

import type { SnowflakeCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";

/** Credentials in which every part has the form of what it names. */
export type CheckedCredentials = {
  /** In lower case, always below a domain of Snowflake's. */
  host: string;
  /** The account's name at the login: the host's first label, with the underscores it was given with. */
  account: string;
  username: string;
  password: string;
  /** The name as the server keeps it: in upper case where it was given without quotes. */
  warehouse: string;
  database: string;
  role: string | undefined;
};

/** DNS bounds a label so. */
const LABEL_CHARACTERS_MAX = 63;
const NAME_CHARACTERS_MAX = 255;
const SECRET_CHARACTERS_MAX = 8_192;

/** An organization and an account (`acme-my_account`), or a locator (`xy12345`). */
const ACCOUNT = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
/** `us-east-1`, `east-us-2`, `europe-west4`, `us-east-1-gov`. */
const REGION = /^[a-z]{2,}(?:-[a-z0-9]+){1,4}$/;
const CLOUDS = ["aws", "azure", "gcp"];
const PRIVATE_LINK = "privatelink";
const IN_CHINA = /^cn-/;

const ACCOUNT_REFUSED =
  "The account is not a Snowflake account identifier, such as myorg-account123 or xy12345.us-east-2.aws: " +
  "give what stands before .snowflakecomputing.com in the account's address, and nothing else.";

/** Throws `connection_failed`, in words that hold nothing of what was given. */
export function checkCredentials(credentials: SnowflakeCredentials): CheckedCredentials {
  const { account, username, password, warehouse, database, role } = credentials;
  const place = readAccount(account);
  if (!isPlainText(username, NAME_CHARACTERS_MAX)) throw refused("The username is not one.", "authentication");
  if (password === "" || password.length > SECRET_CHARACTERS_MAX || password.includes("\0"))
    throw refused("The password is empty, or longer than any.", "authentication");
  return {
    ...place,
    username,
    password,
    warehouse: readName(warehouse, "warehouse", "other"),
    database: readName(database, "database", "database_missing"),
    role: role === undefined || role === "" ? undefined : readName(role, "role", "authentication"),
  };
}

/** The host that an account identifier stands for. Throws `connection_failed`. */
export function readAccount(identifier: string): { account: string; host: string } {
  // Other letters than ASCII's are left as they are, and match nothing below.
  const labels = identifier.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).split(".");
  const [account = "", ...rest] = labels;
  if (account.length > LABEL_CHARACTERS_MAX || !ACCOUNT.test(account)) throw refused(ACCOUNT_REFUSED, "host_forbidden");
  const isPrivate = rest.at(-1) === PRIVATE_LINK;
  const [region, cloud, ...more] = isPrivate ? rest.slice(0, -1) : rest;
  const isPlace =
    more.length === 0 &&
    (region === undefined || (region.length <= LABEL_CHARACTERS_MAX && REGION.test(region))) &&
    (cloud === undefined || CLOUDS.includes(cloud));
  if (!isPlace) throw refused(ACCOUNT_REFUSED, "host_forbidden");
  const domain = IN_CHINA.test(region ?? "") ? "snowflakecomputing.cn" : "snowflakecomputing.com";
  // Snowflake answers by both spellings; host names and certificates know no underscore.
  return { account, host: [account.replaceAll("_", "-"), ...rest, domain].join(".") };
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_$]*$/;
/** The characters of a name in quotes, or of one that only quotes can have made. */
const ANY_NAME = /^(?! )[\p{L}\p{M}\p{N}_$ .@+-]+(?<! )$/u;

/**
 * The name that the text stands for: in upper case, in double quotes exactly what they hold, and exactly itself where
 * it could not stand without quotes.
 */
function readName(text: string, what: string, reason: ConnectionReason): string {
  if (text.length <= NAME_CHARACTERS_MAX) {
    if (PLAIN_NAME.test(text)) return text.toUpperCase();
    const exact = /^"(.+)"$/s.exec(text)?.[1] ?? text;
    if (ANY_NAME.test(exact)) return exact;
  }
  throw refused(`The name of the ${what} has characters that no name of a ${what} is known to have.`, reason);
}

/** A name as the login takes it, which reads it as SQL would: plain names plainly, others in quotes. */
export const loginNameOf = (name: string): string => (/^[A-Z_][A-Z0-9_$]*$/.test(name) ? name : `"${name}"`);

const isPlainText = (text: string, charactersMax: number): boolean =>
  text.length > 0 && text.length <= charactersMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);

const refused = (message: string, reason: ConnectionReason): Failure =>
  new Failure("connection_failed", message, { reason });
