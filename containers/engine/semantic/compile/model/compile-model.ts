// Evaluates a model by Cube's own evaluators: their errors, and the parts that queries need.

import { ContextEvaluator } from "@cubejs-backend/schema-compiler/dist/src/compiler/ContextEvaluator.js";
import { CubeDictionary } from "@cubejs-backend/schema-compiler/dist/src/compiler/CubeDictionary.js";
import { CubeEvaluator } from "@cubejs-backend/schema-compiler/dist/src/compiler/CubeEvaluator.js";
import { CubeSymbols } from "@cubejs-backend/schema-compiler/dist/src/compiler/CubeSymbols.js";
import { CubeToMetaTransformer } from "@cubejs-backend/schema-compiler/dist/src/compiler/CubeToMetaTransformer.js";
import { CubeValidator } from "@cubejs-backend/schema-compiler/dist/src/compiler/CubeValidator.js";
import { ErrorReporter } from "@cubejs-backend/schema-compiler/dist/src/compiler/ErrorReporter.js";
import { JoinGraph } from "@cubejs-backend/schema-compiler/dist/src/compiler/JoinGraph.js";
import { ViewGroupEvaluator } from "@cubejs-backend/schema-compiler/dist/src/compiler/ViewGroupEvaluator.js";
import type { CompiledModel, ModelFlaw, SemanticModel } from "../../../../../kernel/semantic/model.ts";
import { bindCube, unboundCubes } from "./cube-objects.ts";

const FLAWS_MAX = 100;

export const TOO_DEEP = "Cubes or members refer to each other in a circle, or through too many others.";

/** Whether following the references of a model has come to no end. */
export const isTooDeep = (error: unknown): boolean =>
  error instanceof RangeError && error.message.includes("call stack");

/** The evaluators that a query of the model is compiled with. */
export type Compilers = ReturnType<typeof evaluateModel>["compilers"];

/** A model that compiled. */
export type Evaluated = { compilers: Compilers; meta: CompiledModel["meta"] };

export function compileModel(model: SemanticModel): { flaws: ModelFlaw[] } | { evaluated: Evaluated } {
  const { cubes, flaws } = unboundCubes(model);
  if (flaws.length > 0) return { flaws: flaws.slice(0, FLAWS_MAX) };
  const { compilers, reporter, unknown } = evaluateModel(cubes);
  const errors = reporter.getErrors() as { message: string }[];
  if (errors.length > 0)
    return { flaws: errors.slice(0, FLAWS_MAX).map(({ message }) => flawOf(message, compilers.cubeEvaluator)) };
  if (unknown.length > 0) return { flaws: unknown.slice(0, FLAWS_MAX) };
  const meta = compilers.metaTransformer.cubes.map(({ config }) => config as CompiledModel["meta"][number]);
  return { evaluated: { compilers, meta } };
}

/** The phases of Cube's `DataSchemaCompiler`, from definitions instead of files. */
function evaluateModel(cubes: ReturnType<typeof unboundCubes>["cubes"]) {
  const reporter = new ErrorReporter(null, [], { logger: () => undefined });
  const dictionary = new CubeDictionary();
  const symbols = new CubeSymbols();
  const validator = new CubeValidator(symbols);
  const cubeEvaluator = new CubeEvaluator(validator);
  const contextEvaluator = new ContextEvaluator(cubeEvaluator);
  const viewGroupEvaluator = new ViewGroupEvaluator(cubeEvaluator, validator);
  const joinGraph = new JoinGraph(validator, cubeEvaluator);
  const metaTransformer = new CubeToMetaTransformer(
    validator,
    cubeEvaluator,
    contextEvaluator,
    viewGroupEvaluator,
    joinGraph,
  );
  const isKnown = (cube: string, name: string): boolean =>
    name === "CUBE" ||
    name === "TABLE" ||
    symbols.symbols[name] !== undefined ||
    symbols.symbols[cube]?.[name] !== undefined ||
    dictionary.resolveCube(name) !== undefined;

  // Cube finds what means nothing only where it looks while it compiles.
  const unknown = new Map<string, ModelFlaw>();
  const noteUnknown = (cube: string, name: string): boolean => {
    const isMeant = isKnown(cube, name);
    if (!isMeant) unknown.set(`${cube} ${name}`, { member: cube, message: `${cube} cube: ${name} is not defined` });
    return isMeant;
  };

  const phases = [[dictionary], [symbols, validator], [cubeEvaluator, joinGraph, metaTransformer]];
  for (const services of phases) {
    const isLast = services === phases.at(-1);
    const objects = cubes.map((cube) => bindCube(cube, isLast ? noteUnknown : isKnown)) as never[];
    try {
      for (const service of services) service.compile(objects, reporter);
    } catch (error) {
      reporter.error(isTooDeep(error) ? new Error(TOO_DEEP) : error);
    }
  }
  return { reporter, unknown: [...unknown.values()], compilers: { cubeEvaluator, joinGraph, metaTransformer } };
}

/** The flaw that a message of Cube's is about: Cube names the member within the message. */
function flawOf(message: string, { cubeDefinitions }: CubeEvaluator): ModelFlaw {
  const member = /\b([A-Za-z_]\w*)\.[A-Za-z_]\w*/.exec(message);
  const cube = /^([A-Za-z_]\w*) cube: /.exec(message)?.[1];
  if (member && Object.hasOwn(cubeDefinitions, member[1]!)) return { member: member[0], message };
  return { ...(cube === undefined ? {} : { member: cube }), message };
}
