// A verb may ask for these clients and values. Its parameter type lists exactly the clients it touches.

import type { Scope } from "../core/scope.ts";
import type { Clients } from "./clients.ts";

export type Context = Clients & { scope: Scope };
/** The little of a scope that work without a request has. */
export type OfTeam = { scope: Pick<Scope, "teamId"> };
export type Needs<Key extends keyof Context> = Pick<Context, Key>;
