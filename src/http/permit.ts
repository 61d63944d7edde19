// States, inside a route's declaration, which right the caller must hold.

import { createMiddleware } from "hono/factory";
import { Problem } from "../core/problem.ts";
import type { Right } from "../core/scope.ts";
import type { AppEnv } from "./app-env.ts";

export const permit = (right: Right) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.get("ctx").scope.rights.includes(right)) {
      throw new Problem("forbidden_insufficient_permissions", `This needs the right ${right}.`);
    }
    await next();
  });
