// A semantic query's answer annotates the members that the query selects, as Cube does: with titles, types and formats.

import type { SemanticQuery, SemanticTimeDimension } from "../../../../kernel/semantic/query.ts";
import { isTimeUnit } from "./dates/local-time.ts";
import type { MemberMeta, MetaMembers } from "./meta-members.ts";

type Annotated = Record<string, Record<string, unknown>>;
export type Annotation = { measures: Annotated; dimensions: Annotated; segments: Annotated; timeDimensions: Annotated };

export function annotate(query: SemanticQuery, members: MetaMembers): Annotation {
  const each = (kind: "measures" | "dimensions" | "segments"): Annotated =>
    Object.fromEntries(
      query[kind].flatMap((name) => {
        const member = members.find(kind, name);
        return member ? [[name, kind === "measures" ? ofMeasure(member) : ofMember(member)]] : [];
      }),
    );
  const dimensions = each("dimensions");
  for (const [name, annotation] of Object.entries(dimensions)) {
    const { granularities } = members.find("dimensions", name)!;
    if (granularities) annotation["granularities"] = granularities;
  }
  return {
    measures: each("measures"),
    dimensions,
    segments: each("segments"),
    timeDimensions: Object.fromEntries(
      query.timeDimensions.flatMap((time) => ofTimeDimension(time, query.dimensions, members)),
    ),
  };
}

const ofMember = ({ title, shortTitle, description, type, format, currency, meta }: MemberMeta) => ({
  title,
  shortTitle,
  description,
  type,
  format,
  currency,
  meta,
});

const ofMeasure = (member: MemberMeta) => ({
  ...ofMember(member),
  drillMembers: member.drillMembers,
  drillMembersGrouped: member.drillMembersGrouped,
});

/** Under its name with the granularity and, for older clients, under the name alone where nothing else has it. */
function ofTimeDimension(
  { dimension, granularity }: SemanticTimeDimension,
  dimensions: readonly string[],
  members: MetaMembers,
): [string, Record<string, unknown>][] {
  const member = members.find("dimensions", dimension);
  if (granularity === undefined || !member) return [];
  const annotation = { ...ofMember(member), granularity: granularityOf(member, granularity) };
  const plain: [string, Record<string, unknown>][] = dimensions.includes(dimension)
    ? []
    : [[dimension, ofMember(member)]];
  return [[`${dimension}.${granularity}`, annotation], ...plain];
}

const granularityOf = ({ granularities = [] }: MemberMeta, name: string): Record<string, unknown> | undefined =>
  isTimeUnit(name)
    ? { name, title: name, interval: `1 ${name}` }
    : granularities.find((granularity) => granularity.name === name);
