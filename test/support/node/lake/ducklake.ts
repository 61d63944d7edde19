// DuckDB with its own `ducklake` extension, for tests that read our lake with it: wheels of the Python index in a cache
// folder.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { installWheels } from "../tools/python-wheels.ts";

const run = promisify(execFile);
const READ_MS = 60_000;

/** The newest whose extensions come as wheels. It reads the format 0.3. */
const DUCKDB = "1.4.4";
const WHEELS = [`duckdb==${DUCKDB}`, `duckdb-ext-ducklake==${DUCKDB}.*`, `duckdb-ext-sqlite==${DUCKDB}.*`];

const PROGRAM = `
import duckdb, glob, json, os, sys
asked = json.load(sys.stdin)
connection = duckdb.connect()
# A slow query would otherwise draw one among the answer.
connection.execute("SET enable_progress_bar = false")
for path in sorted(glob.glob(os.path.join(asked["wheels"], "duckdb_ext", "extensions", "**", "*.duckdb_extension"), recursive=True)):
    connection.execute("LOAD '" + path + "'")
connection.execute("SET TimeZone = 'UTC'")
# On a busy machine it would draw its progress among the answer.
connection.execute("SET enable_progress_bar = false")
quote = lambda text: "'" + text.replace("'", "''") + "'"
override = "" if asked["dataPath"] is None else ", DATA_PATH " + quote(asked["dataPath"]) + ", OVERRIDE_DATA_PATH true"
connection.execute("ATTACH " + quote("ducklake:sqlite:" + asked["file"]) + ' AS "LAKE" (READ_ONLY' + override + ")")
print(json.dumps([[list(row) for row in connection.execute(query).fetchall()] for query in asked["queries"]], default=str))
`;

/**
 * Attaches an exported catalog for reading and answers each query's rows. `dataPath` is where the files lie, null:
 * where the catalog says. Rejects with what DuckDB says.
 */
export async function readWithDucklake(
  file: string,
  dataPath: string | null,
  queries: string[],
): Promise<unknown[][][]> {
  const wheels = await findWheels();
  const child = run("python3", ["-c", PROGRAM], {
    timeout: READ_MS,
    maxBuffer: 256 * 1024 * 1024,
    env: { PATH: process.env.PATH, PYTHONPATH: wheels },
  });
  child.child.stdin?.end(JSON.stringify({ wheels, file, dataPath, queries }));
  return JSON.parse((await child).stdout) as unknown[][][];
}

let finding: Promise<string> | undefined;

const findWheels = (): Promise<string> =>
  (finding ??= installWheels(`ducklake/${DUCKDB}`, WHEELS, "The tests that read the lake with DuckDB's own extension"));
