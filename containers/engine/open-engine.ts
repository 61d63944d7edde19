// A loaded engine answers by its routes, with the parts that these share.

import type { Served } from "../program/server.ts";
import { AsyncStatements } from "./async-statements.ts";
import type { LakeSettings } from "./core/settings.ts";
import { Jobs } from "./jobs/jobs.ts";
import { workKinds } from "./jobs/work-kinds.ts";
import type { QueryPool } from "./lake/process/pool/query-pool.ts";
import { Lake } from "./lake/read/lake.ts";
import type { PlatformAddress } from "./platform/ask-platform.ts";
import { Requests } from "./requests.ts";
import { ROUTES, type Parts } from "./routes.ts";
import { SemanticCompiler } from "./semantic/compile/process/semantic-compiler.ts";
import { Statements } from "./statements.ts";

const STATEMENTS_MAX = 64;

export type OpenEngine = Served<Parts> & {
  /** Ends all running work; settles when none runs. */
  stop(): Promise<unknown>;
};

export function openEngine(env: PlatformAddress, settings: LakeSettings, pool: QueryPool): OpenEngine {
  const lake = new Lake(env, settings, pool);
  const statements = new Statements(STATEMENTS_MAX, () => pool.retryAfterSeconds);
  const requests = new Requests();
  const jobs = new Jobs(env, workKinds(settings));
  const compiler = new SemanticCompiler();
  const asyncStatements = new AsyncStatements(env, { lake, compiler }, statements);
  return {
    routes: ROUTES,
    parts: { lake, statements, requests, asyncStatements, jobs, compiler },
    stop() {
      // This cancels statements at their sources.
      statements.stop();
      requests.stop();
      compiler.stop();
      return Promise.all([asyncStatements.settle(), jobs.stop(), lake.stop()]);
    },
  };
}
