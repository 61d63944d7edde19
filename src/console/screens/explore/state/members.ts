// Model members are read from the meta that Cube's clients read, and found by words. Pure.

import type { Format } from "../../../../../kernel/docs/draw/formats.ts";
import { wordsFinder } from "../../../ui/data/words.ts";

export type MemberKind = "measure" | "dimension" | "time" | "segment";
export type Granularity = { value: string; label: string };
export type Member = {
  /** Its full name, `cube.member`. */
  name: string;
  /** With its cube's title, for where it stands alone. */
  title: string;
  /** Below its cube's title. */
  shortTitle: string;
  kind: MemberKind;
  /** As the model says: `string`, `number`, `boolean`, `time` and the like; "" for a segment. */
  type: string;
  description: string;
  format: Format | undefined;
  cube: string;
  cubeTitle: string;
  /** A time has those that every time has, and its own; no other member has any. */
  granularities: readonly Granularity[];
};

const GRANULARITIES = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

type MetaMember = {
  name: string;
  title?: string;
  shortTitle?: string;
  description?: string;
  type?: string;
  format?: unknown;
  granularities?: { name: string; title?: string }[];
};
type MetaCube = {
  name: string;
  title?: string;
  measures?: MetaMember[];
  dimensions?: MetaMember[];
  segments?: MetaMember[];
};

/** By cube, in the model's order: measures, dimensions, times, segments. */
export function membersOf(cubes: readonly object[]): Member[] {
  return (cubes as readonly MetaCube[]).flatMap((cube) => {
    const { measures = [], dimensions = [], segments = [] } = cube;
    const isTime = ({ type }: MetaMember) => type === "time";
    return [
      ...measures.map((member) => memberOf(cube, member, "measure")),
      ...dimensions.filter((member) => !isTime(member)).map((member) => memberOf(cube, member, "dimension")),
      ...dimensions.filter(isTime).map((member) => memberOf(cube, member, "time")),
      ...segments.map((member) => memberOf(cube, member, "segment")),
    ];
  });
}

function memberOf(cube: MetaCube, member: MetaMember, kind: MemberKind): Member {
  const { name, title = name, shortTitle = title, description = "", type = "", format, granularities = [] } = member;
  return {
    name,
    title,
    shortTitle,
    kind,
    type: kind === "segment" ? "" : type,
    description,
    format: format === "currency" || format === "percent" || format === "number" ? format : undefined,
    cube: cube.name,
    cubeTitle: cube.title ?? cube.name,
    granularities:
      kind === "time"
        ? [
            ...GRANULARITIES.map((value) => ({ value, label: value })),
            ...granularities.map((own) => ({ value: own.name, label: own.title ?? own.name })),
          ]
        : [],
  };
}

/** Members that have every word in their names, titles or descriptions; all for an empty text. */
export function searchMembers(members: readonly Member[], text: string): Member[] {
  const isFound = wordsFinder(text);
  return members.filter(({ name, title, cubeTitle, description, kind }) =>
    isFound(`${name} ${title} ${cubeTitle} ${description} ${kind}`),
  );
}
