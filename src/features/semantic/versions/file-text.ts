// A file of a model as its text alone. Pure.

import { invalidAt, type Problem } from "../../../core/problem.ts";
import type { ModelFile } from "./model-version.ts";

/** The model that the text of one file stands for. Throws `validation_failed` where the query names no file. */
export function fileOfText(content: string, query: URLSearchParams): { files: ModelFile[] } {
  const path = query.get("path");
  if (path === null) throw pathMissing("Say which file this text is, as in `?path=cubes/orders.yml`.");
  return { files: [{ path, content }] };
}

/** The text of the only file. Throws `validation_failed` where there are others. */
export function textOf({ files }: { files: readonly ModelFile[] }): string {
  const [file, ...others] = files;
  if (file && others.length === 0) return file.content;
  throw pathMissing(`The model has ${files.length} files; say which one, as in \`?path=${file?.path ?? ""}\`.`);
}

const pathMissing = (message: string): Problem => invalidAt("/query/path", message);
