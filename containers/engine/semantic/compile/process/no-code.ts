// Cube makes the function of a view's member from source code. The process runs with
// --disallow-code-generation-from-strings, so that nothing can become code in it; this stands in for that one use.

import { Reference } from "../model/template.ts";

/** The source that Cube writes: one argument, and a template of one reference that begins with it. */
const INCLUDED = /^return `\$\{([\w.]+)\}`;$/;

/** Puts itself before `Function`, for all that is loaded afterwards. */
export function standInForFunctions(): void {
  globalThis.Function = new Proxy(Function, {
    construct: (_target, [argument, body]: string[]) => {
      const path = INCLUDED.exec(body ?? "")?.[1];
      const reference = path === undefined ? undefined : new Reference(path);
      if (!reference || reference.root !== argument) throw new EvalError("Nothing of a model is code.");
      return textOf(reference);
    },
  });
}

/** A template's value is text. */
function textOf(reference: Reference): (...values: unknown[]) => unknown {
  const bound = reference.bind(() => true);
  const text = (...values: unknown[]): unknown => `${bound(...values)}`;
  return Object.defineProperty(text, "toString", { value: () => String(bound) });
}
