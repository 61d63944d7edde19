// A model from the files it is written in: read, checked, and every flaw reported with its file, line and column. What
// it answers is safe to compile, and the same that Cube would make of the files.

import type { LineCounter } from "yaml";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { readYaml } from "../../../core/text/read-yaml.ts";
import { countLines, refuseUnsaid, shortened, UnreadableText, type YamlReading } from "../../../core/text/reading.ts";
import { checkJoins } from "./check/check-joins.ts";
import { checkMembers } from "./check/check-members.ts";
import { checkAliases, checkDefinitionNames, checkOwnNames } from "./check/check-names.ts";
import { checkViews } from "./check/check-views.ts";
import { indexModel, type Cube, type View } from "./definitions.ts";
import { FILE } from "./read/definition-shapes.ts";
import { resolveExtends } from "./read/extend.ts";
import { Findings, pointerOf, type Place, type PlacedFlaw } from "./read/shape.ts";

export type ModelFile = { path: string; content: string };
/** Lines and columns count from 1; without a line it is about the whole file. `member`: `cube` or `cube.member`. */
export type ModelFileFlaw = { file: string; line?: number; column?: number; member?: string; message: string };
/** Where a definition (`cube`) or a member of one (`cube.member`) is written; undefined for what is not there. */
type FindPlace = (path: string) => Pick<ModelFileFlaw, "file" | "line" | "column"> | undefined;
/** `notes` are for people: what the files have and the definitions leave out. */
export type ReadModel =
  | { definitions: SemanticModel; notes: ModelFileFlaw[]; placeOf: FindPlace; flaws?: undefined }
  | { flaws: ModelFileFlaw[]; definitions?: undefined };

const YAML_BOUNDS = {
  linesMax: SEMANTIC_LIMITS.yamlLinesMax,
  depthMax: SEMANTIC_LIMITS.depthMax,
  aliasesMax: SEMANTIC_LIMITS.aliasesMax,
  mergedMax: SEMANTIC_LIMITS.yamlValuesMax,
};
const VALUE_BOUNDS = { valuesMax: SEMANTIC_LIMITS.yamlValuesMax, depthMax: SEMANTIC_LIMITS.depthMax };

export function readModel(files: readonly ModelFile[]): ReadModel {
  const model = new ModelReader(files);
  const definitions = model.read();
  if (!definitions) return { flaws: model.located("flaws") };
  return { definitions, notes: model.located("notes"), placeOf: (path) => model.placeOf(definitions, path) };
}

/** The bounds of the next file, given the rest that all files may have. */
function tokenBounds(left: number): { tokensMax: number; tooLong: string } {
  const { yamlFileTokensMax: ofFile, yamlTokensMax: ofModel } = SEMANTIC_LIMITS;
  const [what, max] = left < ofFile ? ["The model's files together have", ofModel] : ["It has", ofFile];
  const tooLong = `${what} more than ${max.toLocaleString("en-US")} words and signs of YAML, which is as much as can be read.`;
  return { tokensMax: Math.min(left, ofFile), tooLong };
}

type FileText = { path: string; content: string; reading?: YamlReading; lines?: LineCounter };

class ModelReader {
  readonly #files: FileText[];
  readonly #findings = new Findings();
  readonly #unreadable: ModelFileFlaw[] = [];

  constructor(files: readonly ModelFile[]) {
    this.#files = files.map((file) => ({ ...file }));
  }

  read(): SemanticModel | undefined {
    const findings = this.#findings;
    const read = this.#readFiles();
    if (this.#failed) return undefined;
    const written = { cubes: read.flatMap(({ cubes = [] }) => cubes), views: read.flatMap(({ views = [] }) => views) };
    this.#checkCount(written.cubes.length + written.views.length);
    checkDefinitionNames([...written.cubes, ...written.views], findings);
    for (const cube of written.cubes) checkOwnNames(cube, findings);
    if (this.#failed) return undefined;
    const cubes = resolveExtends(written.cubes, findings) as Cube[];
    const views = resolveExtends(written.views, findings) as View[];
    if (this.#failed) return undefined;
    this.#check(cubes, views);
    return this.#failed ? undefined : { cubes, views };
  }

  get #failed(): boolean {
    return this.#unreadable.length + this.#findings.flaws.length > 0;
  }

  #check(cubes: Cube[], views: View[]): void {
    const findings = this.#findings;
    const index = indexModel({ cubes, views });
    for (const cube of cubes) {
      findings.member = cube.name;
      if ((cube.sql === undefined) === (cube.sql_table === undefined))
        findings.flaw(findings.placeOf(cube), "A cube has either sql_table or sql.");
    }
    checkAliases(cubes, views, findings);
    checkJoins(index, findings);
    checkMembers(index, findings);
    checkViews(index, findings);
  }

  #checkCount(count: number): void {
    const flaw = (message: string) => this.#unreadable.push({ file: this.#files[0]?.path ?? "", message });
    if (count === 0) flaw("The model has no cubes and no views.");
    if (count > SEMANTIC_LIMITS.definitionsMax)
      flaw(`The model has more than ${SEMANTIC_LIMITS.definitionsMax} cubes and views.`);
  }

  #readFiles(): { cubes?: Cube[]; views?: View[] }[] {
    let tokensLeft: number = SEMANTIC_LIMITS.yamlTokensMax;
    return this.#files.flatMap((file, i) => {
      const message = flawOfPath(file.path) ?? (file.content.includes("\0") ? "It has a NUL character." : undefined);
      if (message !== undefined) {
        this.#unreadable.push({ file: file.path, message });
        return [];
      }
      try {
        file.reading = readYaml(file.content, { ...YAML_BOUNDS, ...tokenBounds(tokensLeft) });
        tokensLeft -= file.reading.tokens;
        const { value } = file.reading;
        refuseUnsaid(value, VALUE_BOUNDS);
        if (value === null) return [];
        this.#findings.member = undefined;
        const read = FILE(value, { file: i }, this.#findings);
        return read ? [read] : [];
      } catch (error) {
        if (!(error instanceof UnreadableText)) throw error;
        for (const { message, offset } of error.flaws)
          this.#unreadable.push({ file: file.path, ...this.#at(file, offset), message: shortened(message) });
        return [];
      }
    });
  }

  located(which: "flaws" | "notes"): ModelFileFlaw[] {
    const found = this.#findings[which].slice(0, REQUEST_LIMITS.flawsReportedMax);
    const placed = found.map((flaw) => this.#placed(flaw));
    return which === "flaws" ? [...this.#unreadable, ...placed].slice(0, REQUEST_LIMITS.flawsReportedMax) : placed;
  }

  placeOf(definitions: SemanticModel, path: string): ReturnType<FindPlace> {
    const [name = "", member = ""] = path.split(".");
    const { cubes, views } = indexModel(definitions);
    const written = cubes.get(name)?.members.get(member)?.member ?? cubes.get(name)?.cube ?? views.get(name);
    return written && this.#locate(this.#findings.placeOf(written));
  }

  #locate(place: Place): Pick<ModelFileFlaw, "file" | "line" | "column"> {
    const file = this.#files[place.file]!;
    const [offset] = file.reading?.offsetsOf([pointerOf(place)]) ?? [];
    return { file: file.path, ...this.#at(file, offset) };
  }

  #placed({ place, member, message }: PlacedFlaw): ModelFileFlaw {
    return {
      ...this.#locate(place),
      ...(member === undefined ? {} : { member: shortened(member) }),
      message: shortened(message),
    };
  }

  #at(file: FileText, offset: number | undefined): { line?: number; column?: number } {
    if (offset === undefined) return {};
    file.lines ??= countLines(file.content);
    const { line, col } = file.lines.linePos(offset);
    return { line, column: col };
  }
}

function flawOfPath(path: string): string | undefined {
  if (/\.(?:js|ts|mjs|cjs|jsx|tsx)$/i.test(path)) return "Models in JavaScript are not run here: write YAML.";
  if (/\.py$/i.test(path)) return "Python is not run here: write what it would make.";
  if (/\.jinja2?$|\.j2$/i.test(path)) return "Templates of Jinja are not run here: write what they would make.";
  return /\.ya?ml$/i.test(path) ? undefined : "Files of a model are YAML, and end in .yml or .yaml.";
}
