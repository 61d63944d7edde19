// A model's files become a version: they are read here and compiled by the engine, and every flaw has its file, line
// and member.

import type { CompiledModel, SemanticModel, SqlDialect } from "../../../../kernel/semantic/model.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { CompiledDefinition } from "../loaded-model.ts";
import { readModel, type ModelFileFlaw } from "../model/read-model.ts";
import { bytesOf, inOrder, type ModelFile } from "./model-version.ts";

/** `warnings`: what the files have and nothing here needs. */
export type CompiledFiles = { model: SemanticModel; definitions: CompiledDefinition[]; warnings: string[] };

/** Throws `validation_failed` with all flaws of one kind at once: of the files, or of what they compile to. */
export async function compileFiles(
  { scope, openEngine }: Needs<"scope" | "openEngine">,
  dialect: SqlDialect,
  files: readonly ModelFile[],
): Promise<CompiledFiles> {
  const read = readModel(inOrder(files));
  if (!read.definitions) return refuse(files, read.flaws);
  const { definitions: model, notes, placeOf } = read;
  const refuseMembers = (flaws: readonly CompileFlaw[]): never =>
    refuse(
      files,
      flaws.map((flaw) => ({ ...(flaw.member === undefined ? {} : placeOf(flaw.member)), ...flaw })),
    );
  const compiled = await openEngine(scope.teamId).compileModel({
    model,
    dialect,
    sender: scope.userId,
    deadlineMs: SEMANTIC_LIMITS.compileMs,
  });
  if (compiled.flaws.length > 0) return refuseMembers(compiled.flaws);
  const definitions = [...packDefinitions("cube", model, compiled), ...packDefinitions("view", model, compiled)];
  const large = findLarge(definitions);
  if (large.length > 0) return refuseMembers(large);
  return { model, definitions, warnings: notes.map(describe) };
}

type CompileFlaw = Pick<ModelFileFlaw, "message"> & { [Name in keyof ModelFileFlaw]?: ModelFileFlaw[Name] | undefined };

function refuse(files: readonly ModelFile[], found: readonly CompileFlaw[]): never {
  throw new Problem(
    "validation_failed",
    `The model is not valid. ${describe(found[0]!)}`,
    found.map((flaw) => flawOf(files, flaw)),
  );
}

function flawOf(files: readonly ModelFile[], { message, file, line, column, member }: CompileFlaw): Flaw {
  const index = files.findIndex(({ path }) => path === file);
  return {
    pointer: index < 0 ? "/files" : `/files/${index}/content`,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(file === undefined ? {} : { file }),
    ...(member === undefined ? {} : { member }),
  };
}

const describe = ({ file, line, column, member, message }: CompileFlaw): string => {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return [place, member, message].filter((part) => part !== undefined && part !== "").join(": ");
};

const packDefinitions = (
  kind: CompiledDefinition["kind"],
  { cubes, views }: SemanticModel,
  { meta }: CompiledModel,
): CompiledDefinition[] =>
  (kind === "cube" ? cubes : views).map((definition) => {
    const entry = meta.find(({ name }) => name === definition.name);
    if (!entry) throw new Error(`The engine says nothing of ${kind} ${definition.name}.`);
    return { kind, name: definition.name, definition: JSON.stringify(definition), meta: JSON.stringify(entry) };
  });

/** Finds definitions that are too large for their row, or for all that is held in one piece. */
function findLarge(definitions: readonly CompiledDefinition[]): CompileFlaw[] {
  const { definitionBytesMax: bytesMax, definitionsBytesMax: allMax } = SEMANTIC_LIMITS;
  const sizes = definitions.map(({ name, definition, meta }) => ({
    name,
    bytes: [bytesOf(definition), bytesOf(meta)],
  }));
  const large = sizes.filter(({ bytes }) => Math.max(...bytes) > bytesMax);
  if (large.length > 0)
    return large.map(({ name }) => ({
      member: name,
      message: `With all that is written out in it, it has more than ${bytesMax / 1024} KiB.`,
    }));
  if (sizes.reduce((sum, { bytes: [definition, meta] }) => sum + definition! + meta!, 0) <= allMax) return [];
  return [{ message: `With all that is written out, the model has more than ${allMax / 1024 / 1024} MiB.` }];
}
