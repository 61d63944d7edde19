// Whose SQL a query is compiled to, by the classes of Cube's that write it.

import { MysqlQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/MysqlQuery.js";
import { PostgresQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/PostgresQuery.js";
import type { BaseQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
import type { SqlDialect } from "../../contract/semantic/model.ts";

export type QueryClass = new (compilers: unknown, options: Record<string, unknown>) => BaseQuery;

export const QUERY_CLASSES: Record<SqlDialect, QueryClass> = {
  duckdb: PostgresQuery as unknown as QueryClass,
  postgres: PostgresQuery as unknown as QueryClass,
  mysql: MysqlQuery as unknown as QueryClass,
};
