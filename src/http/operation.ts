// Declares an operation of the API with what its caller must be permitted.

import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { Problem } from "../core/problem.ts";
import type { Right } from "../core/scope.ts";
import type { AppEnv } from "./app-env.ts";

/**
 * Who may call an operation: a key's holder that has the right, every key's holder, whoever passes a check that the
 * operation has as middleware, or everybody.
 */
export type Permission = Right | "any_key" | "own_check" | "everybody";

type Declared<Path extends string> = Omit<RouteConfig, "path" | "security"> & { path: Path; permission: Permission };

/**
 * An operation whose permission is checked before its parameters and its body are read. The API's description says it
 * as `x-permission`. Middleware that the operation has besides follows the check.
 */
export function operation<Path extends string, Operation extends Declared<Path>>(declared: Operation) {
  const { permission, middleware = [], ...route } = declared;
  const checked = {
    ...route,
    ...(permission === "everybody" ? { security: [] } : {}),
    middleware: [...checkOf(permission), ...[middleware].flat()],
    "x-permission": permission,
  };
  return createRoute<Path, Operation>(checked as unknown as Operation);
}

const NOT_RIGHTS = ["any_key", "own_check", "everybody"] as const satisfies Permission[];

const isRight = (permission: Permission): permission is Right =>
  !(NOT_RIGHTS as readonly Permission[]).includes(permission);

const checkOf = (permission: Permission): MiddlewareHandler[] =>
  isRight(permission) ? [requireRight(permission)] : [];

const requireRight = (right: Right) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.get("ctx").scope.rights.includes(right))
      throw new Problem("forbidden_insufficient_permissions", `This needs the right ${right}.`);
    await next();
  });
