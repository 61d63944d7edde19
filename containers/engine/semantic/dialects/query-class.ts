// Each dialect's SQL is written by a class of Cube's compiler.

import type { SqlDialect } from "../../../../kernel/semantic/model.ts";
import { DUCKDB } from "./spelling/duckdb.ts";
import { MYSQL } from "./spelling/mysql.ts";
import { PlannedQuery } from "./planned-query.ts";
import { POSTGRES } from "./spelling/postgres.ts";
import type { Spelling } from "./spelling/spelling.ts";

/** A class that is constructed with a model's compilers and a query in Cube's words, where `rowLimit` is the limit. */
type QueryClass = new (compilers: object, query: object) => PlannedQuery;

// The compiler asks for it before a class's own fields are there, and keeps what it made by the class's name.
class DuckdbQuery extends PlannedQuery {
  override get spelling(): Spelling {
    return DUCKDB;
  }
}

class PostgresQuery extends PlannedQuery {
  override get spelling(): Spelling {
    return POSTGRES;
  }
}

class MysqlQuery extends PlannedQuery {
  override get spelling(): Spelling {
    return MYSQL;
  }
}

const CLASSES: Readonly<Record<SqlDialect, QueryClass>> = {
  duckdb: DuckdbQuery,
  postgres: PostgresQuery,
  mysql: MysqlQuery,
};

export const queryClassOf = (dialect: SqlDialect): QueryClass => CLASSES[dialect];
