// An operation: its one declaration, and the one way to call it, which no transport can go around.

import type { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { Context } from "../clients/context.ts";
import { Problem, type ProblemCode } from "../core/problem.ts";
import type { Right } from "../core/scope.ts";
import type { AuditAction } from "../platform/db/audit-actions.ts";
import type { Answer, AnswerDocument } from "./answer.ts";
import type { CallContext, OpenContext } from "./call.ts";
import { readInput, type Input } from "./request/input.ts";
import type { YamlBody } from "./request/yaml-body.ts";

/**
 * Who may call an operation: a key's holder that has the right, whoever reads a lake by its Iceberg catalog, every
 * holder of a key that is not for that alone, whoever passes a check that the
 * operation has as middleware of HTTP, or everybody.
 */
export type Permission = Right | "iceberg" | "any_key" | "own_check" | "everybody";

/** The method and the path of an operation, within its router. */
export type Route = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** What an operation's verb is handed to work with: without a key there is no scope. */
export type ContextOf<Given extends Permission> = Given extends "own_check" | "everybody" ? OpenContext : CallContext;

type Optional<Schema> = Schema | undefined;
export type Valid<Params, Query, Body> = { params: Output<Params>; query: Output<Query>; body: Output<Body> };
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A body that no schema reads: how the document describes it. */
export type RawBody = { required: boolean; description?: string; content: Record<string, { schema: object }> };

export type Described<Given extends Permission, Params, Query, Body> = {
  permission: Given;
  summary: string;
  description: string;
  /** Absent: its router's. */
  tags?: readonly string[];
  params?: Params;
  query?: Query;
  /** JSON that must be sent. */
  body?: Body;
  /** JSON that may be left out, and is `{}` then. */
  optionalBody?: Body;
  /** By HTTP the body may also be sent as YAML, which stands for this JSON. */
  yamlBody?: YamlBody;
  /** Read by the operation itself from the call's request. */
  rawBody?: RawBody;
  /** An example of the body. */
  example?: unknown;
  /** The headers that the operation reads itself, each with what it is for. */
  requestHeaders?: Record<string, string>;
  /** What can go wrong besides what follows from the rest of the declaration. */
  fails?: readonly ProblemCode[];
  /** The operation changes nothing, though its method is not GET. */
  reads?: true;
  /** HTTP alone runs the middleware: after the check of the right, and before the input is read. */
  middleware?: MiddlewareHandler[];
};

/** The actions that a call records; "none" has to be said of what is no GET. `test/tidy/audit.test.ts` holds it. */
export type Audits = AuditAction | readonly AuditAction[] | "none";
export type Audited<Of extends Route> = Of extends `GET ${string}` ? { audit?: Audits } : { audit: Audits };

/** `run` answers the value from which {@link Answer} makes the body. */
export type Valued<Ctx, Given, Value> = {
  answer: Answer<Value>;
  run(ctx: Ctx, input: Given): NoInfer<Value> | Promise<NoInfer<Value>>;
};

/** The way of operations that stream, or answer in several forms: `respond` writes the response itself. */
export type Responding<Ctx, Given> = {
  responses: Record<number, AnswerDocument>;
  respond(ctx: Ctx, input: Given): Response | Promise<Response>;
};

type Schema = Optional<z.ZodType>;
type AnyInput = Valid<Schema, Schema, Schema>;
type Work = (ctx: never, input: never) => unknown;

export type Declaration = Described<Permission, Optional<z.ZodObject>, Schema, Schema> & {
  audit?: Audits;
  answer?: Answer<never>;
  responses?: Record<number, AnswerDocument>;
};

/** What was declared, without its verb: only {@link Operation.call} and {@link Operation.perform} reach that. */
export class Operation {
  readonly id: string;
  readonly declared: Declaration;
  readonly method: string;
  /** Within its router. */
  readonly path: string;
  readonly #work: Work;

  constructor(id: string, route: Route, declared: Declaration, work: Work) {
    this.id = id;
    this.declared = declared;
    [this.method = "", this.path = ""] = route.split(" ");
    this.#work = work;
  }

  /** Whether it asks for no key. */
  get isOpen(): boolean {
    return isOpen(this.declared.permission);
  }

  /** Whether a call changes nothing. */
  get isRead(): boolean {
    return this.method === "GET" || this.declared.reads === true;
  }

  /** Throws `forbidden_insufficient_permissions` where the caller has not the right. */
  permit(ctx: CallContext | OpenContext | Context): void {
    if (!this.permits(ctx)) throw new Problem("forbidden_insufficient_permissions", needOf(this.declared.permission));
  }

  /** Whether the caller has the right. */
  permits(ctx: CallContext | OpenContext | Context): boolean {
    const { permission } = this.declared;
    if (isOpen(permission)) return true;
    if (!("scope" in ctx)) throw new Error(`${this.id} was called without a caller.`);
    const { rights, icebergLakeId } = ctx.scope;
    if (permission === "iceberg") return icebergLakeId !== undefined || rights.includes("query");
    if (icebergLakeId !== undefined) return false;
    return permission === "any_key" || rights.includes(permission);
  }

  /**
   * Calls the operation without HTTP: checks the right, then the input as HTTP does, and answers the verb's value, or
   * the `Response` of an operation that writes its own. Throws `Problem`; what is wrong with the input is
   * `validation_failed`.
   */
  async call(ctx: CallContext, input: Input): Promise<unknown> {
    if (this.declared.permission === "own_check")
      throw new Problem("forbidden_insufficient_permissions", "This is called by HTTP alone.");
    this.permit(ctx);
    const { valid, request } = readInput(this.declared, input, ctx.request);
    return this.perform({ ...ctx, request }, valid);
  }

  /** Calls the operation with an input that its schemas have read. */
  async perform(ctx: CallContext | OpenContext, input: AnyInput): Promise<unknown> {
    this.permit(ctx);
    return this.#work(ctx as never, input as never);
  }
}

const needOf = (permission: Permission): string =>
  permission === "any_key"
    ? "This key reads one lake by its Iceberg catalog, and does nothing else."
    : `This needs the right ${permission === "iceberg" ? "query" : permission}.`;

export const isOpen = (permission: Permission): permission is "own_check" | "everybody" =>
  permission === "own_check" || permission === "everybody";
