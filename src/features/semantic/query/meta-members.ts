// The members of a model by name, from what Cube's `/v1/meta` says of them, and what to say of those that it lacks.

import { z } from "zod";
import type { CompiledModel } from "../../../../kernel/semantic/model.ts";
import { likeNames } from "../../../../kernel/text/like-names.ts";
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
    if (!cube) return this.whyMissingCube(cubeName, name, kinds);
    const other = KINDS.find((kind) => shownOf(cube, [kind]).some((one) => one === name));
    const meant = other
      ? ` It belongs into ${other}.`
      : misspelt(member, shownOf(cube, kinds)) ||
        this.likeMember(name, kinds) ||
        listed(cubeName, shownOf(cube, kinds));
    return `'${member}' not found for path '${name}'${sentence(meant)}`;
  }

  /** `kinds`: of the member that is wanted, where the path leads to one. */
  whyMissingCube(cube: string, path: string, kinds: readonly MemberKind[] = []): string {
    const shown = this.#meta.flatMap(({ name }) => (this.#shown(name, KINDS).length > 0 ? [name] : []));
    const like = likeNames(cube, shown, (name) => [name]);
    const member = memberOf(path);
    const same = like.map((name) => `${name}.${member}`).filter((name) => this.#shown(name, kinds).includes(name));
    const meant = question(same.length > 0 ? same : like);
    return `Cube '${cube}' not found for path '${path}'${sentence(meant || this.likeMember(path, kinds))}`;
  }

  /** ` Did you mean orders.count?`, of all members that are shown, those of the named cube before others. */
  likeMember(name: string, kinds: readonly MemberKind[] = KINDS): string {
    const [cubeName = ""] = name.split(".");
    const cubes = this.#meta.map((cube) => cube.name);
    const nearest = [cubeName, ...cubes.filter((cube) => cube !== cubeName)];
    const shown = nearest.flatMap((cube) => this.#shown(cube, kinds));
    return question(likeNames(memberOf(name), shown, (one) => [one, memberOf(one)]));
  }

  /** The full names of a cube's members that may be selected; none of a cube that is not there. */
  #shown(name: string, kinds: readonly MemberKind[]): string[] {
    const cube = this.#cubeOf(name);
    return cube ? shownOf(cube, kinds) : [];
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

const KINDS = ["measures", "dimensions", "segments"] as const satisfies readonly MemberKind[];

/** So many of a cube's members are listed where none is like the one that is wanted. */
const LISTED_MAX = 10;

const shownOf = (cube: CubeMeta, kinds: readonly MemberKind[]): string[] =>
  kinds.flatMap((kind) => cube[kind].filter(({ isVisible }) => isVisible !== false).map(({ name }) => name));

const memberOf = (name: string): string => name.slice(name.indexOf(".") + 1);

/** ` Did you mean orders.count?`, of names that are spelt nearly as the member is, or nothing. */
const misspelt = (member: string, names: readonly string[]): string =>
  question(likeNames(member, names, (name) => [memberOf(name)], { isSpelling: true }));

const question = (names: readonly string[]): string =>
  names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;

const sentence = (meant: string): string => meant && `.${meant}`;

const listed = (cube: string, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : ` ${cube} has ${names.slice(0, LISTED_MAX).join(", ")}${names.length > LISTED_MAX ? " …" : ""}.`;

/** The message for a member that the model declares and does not show. */
export const hiddenMessage = (name: string): string =>
  `You requested hidden member: '${name}'. Please make it visible using \`public: true\`. Please note primaryKey ` +
  "fields are `public: false` by default.";
