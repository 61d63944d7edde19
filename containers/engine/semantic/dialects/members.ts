// The members of a query, as Cube's compiler asks for their SQL.

import baseDimension from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseDimension.js";
import baseFilter from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseFilter.js";
import baseMeasure from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseMeasure.js";
import baseTimeDimension from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseTimeDimension.js";
import { periodOfDefinition, periodOfUnit, isUnit, type Period, type GranularityDefinition } from "./time/period.ts";
import { hasGranularity, noteGranularity, onClock } from "./clock.ts";
import { conditionSql, type ComparedAs } from "./condition.ts";
import { readLocalTime } from "./time/local-time.ts";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";
import { standalone } from "./spelling/atomic.ts";
import { openZone, type Zone } from "./time/zone.ts";

const TEXT_TYPES = new Set(["string", "geo"]);
const DATE_OPERATOR = /date/i;
/** A margin around a date range: clocks of different zones never differ by more. */
const MARGIN_MS = 2 * 86_400_000;

type Definition = { type?: string; aggType?: string; primaryKey?: boolean };

/** The planned query of a member, which the compiler's types keep private. */
const plannedOf = (member: object): Planned => (member as { query: Planned }).query;

/** The type that a measure has behind a view. */
export const typeOf = ({ type, aggType }: Definition): string => aggType ?? type ?? "string";

function kindOf(type: string): ComparedAs {
  if (type === "boolean" || type === "time") return type;
  return TEXT_TYPES.has(type) ? "text" : "number";
}

/** The left side of a filter's comparison: SQL, and the zone whose clocks tell which stored times are meant. */
type Compared = { sql: string; zone: Zone; isStored: boolean };
const LOCAL = openZone("UTC");

/** A time is compared as it is stored, for an index to serve; any other value as it is shown. */
export function compared(dimension: baseDimension.BaseDimension, stored: string, kind: ComparedAs): Compared {
  const query = plannedOf(dimension);
  const shown = onClock(query, () => query.dimensionSql(dimension) as string);
  const isStored = kind === "time" && shown === standalone(query.shownTime(stored));
  return isStored ? { sql: stored, zone: query.zone, isStored } : { sql: shown, zone: LOCAL, isStored };
}

function comparedMeasure(query: Planned, measure: string, sql: string): Compared {
  const isLocal = hasGranularity(query, () => query.newMeasure(measure).measureSql() as string);
  return { sql, zone: isLocal ? LOCAL : query.zone, isStored: !isLocal };
}

function filterSql(filter: baseFilter.BaseFilter, sql: string): string {
  const query = plannedOf(filter);
  const measure = filter.measure as string | null | undefined;
  const member = measure ?? (filter.dimension as string);
  const operator = filter.camelizeOperator as string;
  const kind = kindOf(typeOf(filter.definition() as Definition));
  // A measure's type does not say whether its greatest value is a time.
  if (!measure && DATE_OPERATOR.test(operator) && kind !== "time")
    throw new Refused(`The filter operator ${operator} needs a time, which ${member} is not.`);
  return conditionSql(operator, {
    member,
    kind,
    ...(measure ? comparedMeasure(query, measure, sql) : compared(filter, sql, kind)),
    values: [filter.values ?? []].flat() as (string | null)[],
    spelling: query.spelling,
    bind: (value) => query.paramAllocator.allocateParam(value),
  });
}

export class MemberFilter extends baseFilter.BaseFilter {
  override conditionSql(sql: string): string {
    return filterSql(this, sql);
  }
}

/** A dimension that is asked for shows times on the zone's clock. A key is compared with itself as it is. */
export class MemberDimension extends baseDimension.BaseDimension {
  override convertTzForRawTimeDimensionIfNeeded(sql: () => string): string {
    return (this.definition() as Definition).primaryKey ? sql() : onClock(plannedOf(this), sql);
  }
}

export class MemberMeasure extends baseMeasure.BaseMeasure {
  /** Approximate counts of parts can't be added up by what databases have. */
  override isAdditive(): boolean {
    return super.isAdditive() && typeOf(this.definition() as Definition) !== "countDistinctApprox";
  }
}

export class MemberTimeDimension extends baseTimeDimension.BaseTimeDimension {
  override conditionSql(sql: string): string {
    return filterSql(this, sql);
  }

  override unescapedAliasName(): string {
    return plannedOf(this).aliasName(`${this.dimension}.${this.granularity ?? "time"}`);
  }

  /** The period of the member's granularity, if it has one. */
  get period(): Period | undefined {
    return this.granularity ? this.periodOf(this.granularity) : undefined;
  }

  /** The date range that the query asks for, in local times; both ends are included. */
  get localRange(): [number, number] | undefined {
    const [from, to] = (this.dateRange ?? []) as string[];
    const { zone } = plannedOf(this);
    return from === undefined || to === undefined ? undefined : [readLocalTime(from, zone), readLocalTime(to, zone)];
  }

  override convertedToTz(): string {
    const query = plannedOf(this);
    const [from, to] = (query.isRolling() ? undefined : this.localRange) ?? [];
    const within: [number, number] | undefined =
      from === undefined || to === undefined ? undefined : [from - MARGIN_MS, to + MARGIN_MS];
    const { sql, isStored } = compared(this, query.dimensionSql(this) as string, "time");
    return isStored ? query.shownTime(sql, within) : sql;
  }

  override dimensionSql(): string {
    const query = plannedOf(this);
    const context = query.safeEvaluateSymbolContext() as {
      granularityOverride?: string;
      ungrouped?: boolean;
      renderedReference?: Record<string, string>;
    };
    // Times that the members' own SQL groups by stay as they are.
    const isAskedFor = query.timeDimensions.includes(this);
    const granularity = (isAskedFor && context.granularityOverride) || this.granularity;
    const path = granularity ? `${this.expressionPath()}.${granularity}` : this.expressionPath();
    const rendered = context.renderedReference?.[path];
    if (rendered !== undefined) return rendered;
    if (granularity) noteGranularity(query, path);
    const local = this.convertedToTz();
    if (!granularity || (isAskedFor && context.ungrouped)) return local;
    return query.spelling.startOfPeriod(local, this.periodOf(granularity));
  }

  periodOf(granularity: string): Period {
    if (isUnit(granularity)) return periodOfUnit(granularity);
    const { cubeEvaluator, zone } = plannedOf(this);
    const path = [...cubeEvaluator.parsePath("dimensions", this.dimension), "granularities", granularity];
    const definition = cubeEvaluator.resolveGranularity(path) as GranularityDefinition;
    return periodOfDefinition(`${this.dimension}.${granularity}`, definition, zone);
  }
}
