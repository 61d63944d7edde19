// Answers the compile process's orders. It keeps the models that it compiled last.

import { UserError } from "@cubejs-backend/schema-compiler/dist/src/compiler/UserError.js";
import { LruMap } from "../../../../../kernel/text/lru-map.ts";
import type { SemanticModel } from "../../../../../kernel/semantic/model.ts";
import { compileModel, isTooDeep, TOO_DEEP, type Evaluated } from "../model/compile-model.ts";
import { compileQuery } from "../model/compile-query.ts";
import { ModelError } from "../model/template.ts";
import type { CompileAnswer, CompileOrder } from "./messages.ts";

/** Characters of the JSON of the models that are kept; compiled, a model takes some ten times as much. */
const KEPT_CHARACTERS_MAX = 4_000_000;

type Kept = { size: number; result: ReturnType<typeof compileModel> };

const kept = new LruMap<Kept>(KEPT_CHARACTERS_MAX, ({ size }) => size);

export function answerOrder(order: CompileOrder): CompileAnswer {
  try {
    const result = compiled(order);
    if (order.do === "model")
      return {
        model: "flaws" in result ? { flaws: result.flaws, meta: [] } : { flaws: [], meta: result.evaluated.meta },
      };
    if ("flaws" in result) return { refused: result.flaws.map(({ message }) => message).join(" ") };
    return { sql: compileQuery(result.evaluated.compilers, order.dialect, order.query) };
  } catch (error) {
    const message = messageFor(error);
    if (message !== undefined) return { refused: message };
    return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The message for the author of the model or the query; undefined where the compiler is at fault. */
function messageFor(error: unknown): string | undefined {
  if (isTooDeep(error)) return TOO_DEEP;
  if (!(error instanceof Error)) return undefined;
  // Cube says most of what is wrong with a query by errors of no class of their own.
  const isSaid = error instanceof UserError || error instanceof ModelError || error instanceof ReferenceError;
  return isSaid || Object.getPrototypeOf(error) === Error.prototype ? error.message : undefined;
}

function compiled({ key, model }: CompileOrder): { flaws: { message: string }[] } | { evaluated: Evaluated } {
  const known = kept.get(key);
  if (known) return known.result;
  const result = compileModel(JSON.parse(model) as SemanticModel);
  kept.set(key, { size: model.length, result });
  return result;
}
