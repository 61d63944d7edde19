// The operations that the tools of one call use: each is called with the caller's rights, which it checks itself.

import { readingOnly } from "../../core/scope.ts";
import type { CallContext } from "../../http/call.ts";
import type { Operation } from "../../http/operation.ts";
import type { Input } from "../../http/request/input.ts";

/** What a tool sends besides an operation's input: headers, and a body that is no JSON. */
type Sent = { headers?: Record<string, string>; text?: string };

export class OperationCalls {
  readonly ctx: CallContext;
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(ctx: CallContext, operations: ReadonlyMap<string, Operation>) {
    this.ctx = ctx;
    this.#operations = operations;
  }

  /** Calls of the same operations by a scope that may write nothing into a lake. */
  get readingOnly(): OperationCalls {
    return new OperationCalls({ ...this.ctx, scope: readingOnly(this.ctx.scope) }, this.#operations);
  }

  /** Calls of the same operations under another request id, by which a write is not done twice. */
  named(requestId: string): OperationCalls {
    return new OperationCalls({ ...this.ctx, requestId }, this.#operations);
  }

  permits(id: string): boolean {
    return this.#find(id).permits(this.ctx);
  }

  /** The operation's value, of the type that its verb answers; a `Response` of one that writes its own. */
  async call<Value>(id: string, input: Input, { headers = {}, text }: Sent = {}): Promise<Value> {
    const { request } = this.ctx;
    const made = new Request(request.url, {
      method: "POST",
      headers,
      signal: request.signal,
      ...(text !== undefined && { body: text }),
    });
    return (await this.#find(id).call({ ...this.ctx, request: made }, input)) as Value;
  }

  #find(id: string): Operation {
    const operation = this.#operations.get(id);
    if (!operation) throw new Error(`No operation is called ${id}.`);
    return operation;
  }
}
