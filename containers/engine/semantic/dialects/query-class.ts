// Which class of Cube's compiler writes a dialect's SQL.

import type baseQuery from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
import mysqlQuery from "@cubejs-backend/schema-compiler/dist/src/adapter/MysqlQuery.js";
import postgresQuery from "@cubejs-backend/schema-compiler/dist/src/adapter/PostgresQuery.js";
import type { SqlDialect } from "../../contract/semantic/model.ts";

/** To be made with a model's compilers and a query in Cube's words, where `rowLimit` is the limit. */
export type QueryClass = typeof baseQuery.BaseQuery;

const CLASSES: Readonly<Record<SqlDialect, QueryClass>> = {
  duckdb: postgresQuery.PostgresQuery,
  postgres: postgresQuery.PostgresQuery,
  mysql: mysqlQuery.MysqlQuery,
};

export const queryClassOf = (dialect: SqlDialect): QueryClass => CLASSES[dialect];
