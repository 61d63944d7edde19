// A semantic model as queries need it, and as it is stored.

import type { CompiledModel, SemanticModel } from "../../../kernel/semantic/model.ts";

/** `digest` names the files that it was read from. Nobody changes what is in it: requests share it. */
export type LoadedModel = {
  version: number;
  digest: string;
  definitions: SemanticModel;
  /** An entry a cube or view, as Cube's `/v1/meta` lists them. */
  meta: CompiledModel["meta"];
};

/** A cube or view with its entry of the meta, both as JSON. */
export type CompiledDefinition = { kind: "cube" | "view"; name: string; definition: string; meta: string };
