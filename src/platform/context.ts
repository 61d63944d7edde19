// What a verb may ask for. Its parameter type lists exactly the matter it touches.

import type { Scope } from "../core/scope.ts";
import { openDb, type Db } from "./db/client.ts";

export type Context = { scope: Scope; db: Db; env: Env };
/** The little of a scope that work without a request has. */
export type OfTeam = { scope: Pick<Scope, "teamId"> };
export type Needs<Key extends keyof Context> = Pick<Context, Key>;

export const openContext = (env: Env, scope: Scope): Context => ({ scope, db: openDb(env.DB), env });
