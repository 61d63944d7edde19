// A semantic model as it goes to the engine: definitions in the form of Cube's YAML, checked and bounded by whoever
// sends them, with nothing in them that its recipient may not see.

import { z } from "zod";

/** A cube or a view: the fields of Cube's YAML, in snake_case. Members are lists of objects with a `name`. */
export const CubeDefinition = z.looseObject({ name: z.string().min(1) });
export type CubeDefinition = z.infer<typeof CubeDefinition>;

export const SemanticModel = z.strictObject({ cubes: z.array(CubeDefinition), views: z.array(CubeDefinition) });
export type SemanticModel = z.infer<typeof SemanticModel>;

/** The dialects of SQL that a model is compiled to. */
export const SQL_DIALECTS = ["duckdb", "postgres", "mysql"] as const;
export const SqlDialect = z.enum(SQL_DIALECTS);
export type SqlDialect = z.infer<typeof SqlDialect>;

/** POST /semantic/models: whether a whole model compiles, and its meta. The engine keeps nothing of it. */
export const CompileModelRequest = z.strictObject({
  model: SemanticModel,
  dialect: SqlDialect,
  /** The sender, as in statements. */
  sender: z.string(),
  deadlineMs: z.number().int().positive(),
});
export type CompileModelRequest = z.infer<typeof CompileModelRequest>;

/** A flaw that the compiler finds in a model; `member` is `cube` or `cube.member` where the flaw is about one. */
export const ModelFlaw = z.strictObject({ member: z.string().optional(), message: z.string() });
export type ModelFlaw = z.infer<typeof ModelFlaw>;

/** `meta`: by cube or view, an entry of the list that Cube's `/v1/meta` answers. Empty where there are flaws. */
export const CompiledModel = z.strictObject({
  flaws: z.array(ModelFlaw),
  meta: z.array(z.looseObject({ name: z.string() })),
});
export type CompiledModel = z.infer<typeof CompiledModel>;
