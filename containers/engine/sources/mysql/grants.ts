// An account's privileges, read from SHOW GRANTS.

import { escapePattern } from "../../../../kernel/text/escape-pattern.ts";

const WRITING = [
  "ALL PRIVILEGES",
  "ALL",
  "INSERT",
  "UPDATE",
  "DELETE",
  "DELETE HISTORY",
  "CREATE",
  "DROP",
  "ALTER",
  "INDEX",
  "TRIGGER",
  "EVENT",
  "CREATE VIEW",
  "CREATE ROUTINE",
  "ALTER ROUTINE",
  "FILE",
  "SUPER",
];

/**
 * Whether any of the grants (`GRANT SELECT, INSERT (a) ON `db`.* TO …`) lets an account write in the database. Roles
 * that are not active are not looked into.
 */
export function canWrite(grants: string[], database: string): boolean {
  return grants.some((grant) => {
    const [, privileges, level] = /^GRANT (.+?) ON (?:TABLE )?(\S.*?) TO /i.exec(grant) ?? [];
    if (privileges === undefined || level === undefined || !isWithin(level, database)) return false;
    return privileges
      .replace(/\([^)]*\)/g, "")
      .split(",")
      .some((privilege) => WRITING.includes(privilege.trim().toUpperCase()));
  });
}

/**
 * Whether `*.*`, `` `db`.* `` or `` `db`.`table` `` is about the database. A grant on a whole database names it by a
 * LIKE pattern.
 */
function isWithin(level: string, database: string): boolean {
  if (level === "*.*") return true;
  const [, quoted, whole] = /^`((?:[^`]|``)*)`\.(\*)?/.exec(level) ?? [];
  if (quoted === undefined) return false;
  const name = quoted.replaceAll("``", "`");
  if (database === "" || name === database) return true;
  if (whole === undefined) return false;
  const pattern = name.replace(/\\?[\s\S]/g, (part) =>
    part === "%" ? ".*" : part === "_" ? "." : escapePattern(part.replace(/^\\(?=.)/, "")),
  );
  return new RegExp(`^${pattern}$`, "isu").test(database);
}
