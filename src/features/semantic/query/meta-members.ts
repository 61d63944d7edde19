// The members of a model by name, from what Cube's `/v1/meta` says of them, and what to say of those that it lacks.

import { z } from "zod";
import type { CompiledModel } from "../../../../kernel/semantic/model.ts";
import { didYouMean } from "../did-you-mean.ts";
import type { MemberKind } from "../model/definitions.ts";
import type { Path, QueryFlaws } from "./flaws.ts";

const GranularityMeta = z.looseObject({ name: z.string() });

const MemberMeta = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  shortTitle: z.string().optional(),
  description: z.string().optional(),
  type: z.string().optional(),
  format: z.unknown().optional(),
  currency: z.string().optional(),
  meta: z.unknown().optional(),
  isVisible: z.boolean().optional(),
  drillMembers: z.array(z.string()).optional(),
  drillMembersGrouped: z.unknown().optional(),
  granularities: z.array(GranularityMeta).optional(),
});
export type MemberMeta = z.infer<typeof MemberMeta>;

const CubeMeta = z.looseObject({
  name: z.string(),
  measures: z.array(MemberMeta),
  dimensions: z.array(MemberMeta),
  segments: z.array(MemberMeta),
});
type CubeMeta = z.infer<typeof CubeMeta>;

/** Cubes are read when a query first names them: a model has hundreds, a query some. */
export class MetaMembers {
  readonly #meta: CompiledModel["meta"];
  readonly #cubes = new Map<string, CubeMeta | undefined>();

  constructor(meta: CompiledModel["meta"]) {
    this.#meta = meta;
  }

  /** By its full name, `cube.member`. */
  find(kind: MemberKind, name: string): MemberMeta | undefined {
    return this.#cubeOf(name)?.[kind].find((member) => member.name === name);
  }

  has(cube: string): boolean {
    return this.#cubeOf(cube) !== undefined;
  }

  /** As {@link find}; a member that is not there is a flaw of the query. */
  get(kind: MemberKind, name: string, path: Path, flaws: QueryFlaws): MemberMeta | undefined {
    return this.find(kind, name) ?? flaws.add(path, this.whyMissing([kind], name));
  }

  /** Cube's words, and what may be meant of the kinds that can stand there. */
  whyMissing(kinds: readonly MemberKind[], name: string): string {
    const [cubeName = "", member = ""] = name.split(".");
    const cube = this.#cubeOf(name);
    if (!cube) return this.whyMissingCube(cubeName, name);
    const shown = kinds.flatMap((kind) => cube[kind]).filter(({ isVisible }) => isVisible !== false);
    const names = shown.map((each) => each.name.slice(cubeName.length + 1));
    const meant = didYouMean(member, names, `${cubeName}.`);
    return `'${member}' not found for path '${name}'${meant && `.${meant}`}`;
  }

  whyMissingCube(cube: string, path: string): string {
    const meant = didYouMean(
      cube,
      this.#meta.map(({ name }) => name),
    );
    return `Cube '${cube}' not found for path '${path}'${meant && `.${meant}`}`;
  }

  #cubeOf(name: string): CubeMeta | undefined {
    const [cube = ""] = name.split(".");
    if (!this.#cubes.has(cube)) {
      const entry = this.#meta.find((one) => one.name === cube);
      this.#cubes.set(cube, entry && CubeMeta.parse(entry));
    }
    return this.#cubes.get(cube);
  }
}

/** Of a member that the model declares and does not show. */
export const hiddenMessage = (name: string): string =>
  `You requested hidden member: '${name}'. Please make it visible using \`public: true\`. Please note primaryKey ` +
  "fields are `public: false` by default.";
