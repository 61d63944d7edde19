// Modules that replace some of those that Cube's compiler asks for. It asks for hundreds of files that compiling never
// runs: clients, loggers, a parser of YAML's code. Loading them took most of the time until the first query.

import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const ours = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const REPLACED: Record<string, string> = {
  "@cubejs-backend/shared": ours("./settings.ts"),
  "../parser/SqlParser": ours("./no-sql-parser.ts"),
  "../adapter": ours("./query-parts.ts"),
  ramda: ours("./ramda.cjs"),
};

/** Replaces the modules, before anything of Cube's is loaded. */
export const replaceModules = (): void =>
  void registerHooks({ resolve: (specifier, context, next) => next(REPLACED[specifier] ?? specifier, context) });
