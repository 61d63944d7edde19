// Names that no statement to Redshift may use, beside PostgreSQL's forbidden ones: Redshift's own functions that reach
// beyond reading a database's tables, and the logs it keeps of what every session runs.
//
// Users' own functions can't be told apart here by their names: one in Python or of AWS Lambda runs what its author
// wrote, with the rights that the cluster gives it. An account that must not run them has no EXECUTE on them.

import { isForbiddenFunction, isForbiddenName, isForbiddenRelation } from "../../postgres/gate/forbidden.ts";

/**
 * They tell who may take on which IAM role, or are parts of the cluster's own machinery, which has no published names
 * but these prefixes.
 */
const FORBIDDEN_FUNCTIONS: RegExp[] = [
  /^pg_get_(iam_role_by_user|grantee_by_iam_?role|session_roles)$/,
  /^(padb|xpx|stl|stll|stv|stcs|volt|xen)_/,
  /^explain_model$/,
];

/** These schemas are the cluster's own. */
const FORBIDDEN_SCHEMAS = new Set(["pg_internal", "pg_automv", "catalog_history"]);

/**
 * Logs and views of what sessions run: with the text of their statements, which holds values of any table and names of
 * roles and files, and to those with SYSLOG ACCESS or a superuser's rights of every user. They are the cluster's state
 * and not this database's data. Views of the catalog (`svv_tables`, `svv_columns` …) are read.
 */
const FORBIDDEN_RELATIONS: RegExp[] = [
  /^(stl|stll|stv|stcs|svl|svcs|sys|xpx)_/,
  /^svv_(query_.*|transactions|copy_job.*|identity_providers|restore_.*)$/,
  /^pg_(identity_provider.*|conf|library|external_credential.*)$/,
];
const SYSTEM_SCHEMAS = new Set(["pg_catalog", "information_schema"]);

const isForbiddenRedshiftName = (name: string): boolean =>
  isForbiddenName(name) || FORBIDDEN_FUNCTIONS.some((pattern) => pattern.test(name));

/** Judges as PostgreSQL's `isForbiddenFunction` does; names are folded. */
export const isForbiddenRedshiftFunction = (path: string[], argumentCount: number): boolean =>
  isForbiddenFunction(path, argumentCount) ||
  path.slice(0, -1).some((schema) => FORBIDDEN_SCHEMAS.has(schema)) ||
  isForbiddenRedshiftName(path.at(-1) ?? "");

export const isForbiddenNotation = isForbiddenRedshiftName;

/** One of the user's own may bear the name in a schema of its own, said before it. */
export const isForbiddenRedshiftRelation = (schema: string | undefined, name: string): boolean =>
  isForbiddenRelation(schema, name) ||
  (schema !== undefined && FORBIDDEN_SCHEMAS.has(schema)) ||
  ((schema === undefined || SYSTEM_SCHEMAS.has(schema)) && FORBIDDEN_RELATIONS.some((pattern) => pattern.test(name)));
