// Arrow streams as the sandbox's pyarrow writes them.

import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { defaultCacheDirectory } from "../../../../containers/sandbox/core/settings.ts";
import { findPython } from "../../../../containers/sandbox/python/interpreter.ts";
import { prepareBase } from "../../../../containers/sandbox/python/packages.ts";

const run = promisify(execFile);

/** The stream of `table`, which `program` sets: a table, or several of one schema. `options`: of the writer. */
export async function pyarrowOf(program: string, options = ""): Promise<Uint8Array> {
  const python = await findPython(process.env);
  const packages = await prepareBase(python, process.env["SANDBOX_CACHE_DIR"] || defaultCacheDirectory());
  const whole = `
import sys
import pyarrow as pa
${program}
tables = table if isinstance(table, list) else [table]
with pa.ipc.new_stream(sys.stdout.buffer, tables[0].schema, options=pa.ipc.IpcWriteOptions(${options})) as writer:
    for each in tables:
        writer.write_table(each)
`;
  const env = { ...process.env, PYTHONPATH: packages };
  const { stdout } = await run(python.command, ["-c", whole], {
    env,
    cwd: tmpdir(),
    encoding: "buffer",
    maxBuffer: 64 * 1024 * 1024,
  });
  return new Uint8Array(stdout);
}
