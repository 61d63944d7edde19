// The Python packages of datasets, before the first of them needs any.

import { findPython } from "../../../containers/sandbox/python/interpreter.ts";
import { prepareBase } from "../../../containers/sandbox/python/packages.ts";
import { defaultCacheDirectory } from "../../../containers/sandbox/core/settings.ts";

/** Fetches them once for this machine. Where that can't be, everything else works: it says so, and goes on. */
export async function preparePython({ SANDBOX_PYTHON, SANDBOX_CACHE_DIR }: Record<string, string>): Promise<void> {
  try {
    await prepareBase(await findPython({ SANDBOX_PYTHON }), SANDBOX_CACHE_DIR || defaultCacheDirectory());
  } catch (error) {
    console.warn(
      `  WARNING: Python datasets will lack pandas, pyarrow, duckdb, requests and definite_sdk on this machine.\n  ` +
        `${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
