// Cube's own way from YAML to SQL, with its source code made of models: what our way from definitions must equal.

import { createRequire } from "node:module";
import type { SemanticModel, SqlDialect } from "../../../../kernel/semantic/model.ts";
import type { SemanticSql } from "../../../../kernel/semantic/query.ts";

export type CubeCompilers = {
  compiler: { compile(): Promise<void> };
  metaTransformer: { cubes: { config: Record<string, unknown> }[] };
};

const require = createRequire(import.meta.url);
const PACKAGE = "@cubejs-backend/schema-compiler";

type Transpilers = Record<string, (file: object) => object>;

/** Cube transpiles in worker threads, which its native module ends; here it does so in this one. */
function transpileHere(): void {
  const workers = require("workerpool") as Record<string, unknown>;
  let transpilers: Transpilers = {};
  workers["worker"] = (given: Transpilers) => (transpilers = given);
  workers["pool"] = () => ({
    exec: async (name: string, [file]: [object]) => transpilers[name]!(file),
    terminate: () => undefined,
  });
  const native = require("@cubejs-backend/native") as Record<string, unknown>;
  native["NativeInstance"] = class {};
  // Anew each time: it keeps the errors of all that it has met.
  const worker = require.resolve(`${PACKAGE}/dist/src/compiler/transpilers/transpiler_worker.js`);
  delete require.cache[worker];
  require(worker);
}

/** Rejects with Cube's report where the model has flaws. JSON is YAML. */
export async function compileByCube(model: SemanticModel): Promise<CubeCompilers> {
  transpileHere();
  const { prepareCompiler } = require(PACKAGE) as {
    prepareCompiler(repository: object, options: object): CubeCompilers;
  };
  // On lines of their own: two braces in a row would be a template's.
  const content = JSON.stringify(model, null, 1);
  const repository = { localPath: () => "/", dataSchemaFiles: async () => [{ fileName: "model.yml", content }] };
  const compilers = prepareCompiler(repository, {
    standalone: true,
    allowNodeRequire: false,
    nativeInstance: { newJinjaEngine: () => ({}) },
  });
  await compilers.compiler.compile();
  return compilers;
}

type CubeQuery = new (compilers: object, query: object) => { buildSqlAndParams(): [string, string[]] };
/** Cube has no class for DuckDB among its own; PostgreSQL's SQL of times is DuckDB's as well. */
const CUBE_CLASSES: Record<SqlDialect, string> = {
  duckdb: "PostgresQuery",
  postgres: "PostgresQuery",
  mysql: "MysqlQuery",
};

/** A query's SQL by Cube's own query class, with the settings of its REST API. */
export function sqlByCube(compilers: CubeCompilers, dialect: SqlDialect, query: object): SemanticSql["sql"] {
  const name = CUBE_CLASSES[dialect];
  const classes = require(`${PACKAGE}/dist/src/adapter/${name}.js`) as Record<string, CubeQuery>;
  const options = { convertTzForRawTimeDimension: true, allowUngroupedWithoutPrimaryKey: true, ...query };
  const [sql] = new classes[name]!(compilers, { ...options, useNativeSqlPlanner: false }).buildSqlAndParams();
  // A statement here names no variable of the server.
  return sql.replaceAll("@@session.time_zone", "'+00:00'");
}
