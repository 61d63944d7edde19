import { SEMANTIC_LIMITS } from "../limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { bytesOf, type ModelFile } from "./model-version.ts";

/** Throws `validation_failed` for what no schema of one file says: a path that is there twice, too many bytes. */
export function checkFiles(files: readonly ModelFile[]): void {
  const seen = new Set<string>();
  const flaws: Flaw[] = [];
  let bytes = 0;
  for (const [index, { path, content }] of files.entries()) {
    const size = bytesOf(content);
    bytes += size;
    if (seen.has(path)) flaws.push({ pointer: `/files/${index}/path`, message: `The file ${path} is there twice.` });
    seen.add(path);
    if (size > SEMANTIC_LIMITS.fileBytesMax)
      flaws.push({
        pointer: `/files/${index}/content`,
        message: `A file has at most ${SEMANTIC_LIMITS.fileBytesMax / 1024} KiB; spread its cubes over several.`,
        file: path,
      });
  }
  if (bytes > SEMANTIC_LIMITS.modelBytesMax)
    flaws.push({
      pointer: "/files",
      message: `The files of a model have at most ${SEMANTIC_LIMITS.modelBytesMax / 1024 / 1024} MiB together.`,
    });
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
}
