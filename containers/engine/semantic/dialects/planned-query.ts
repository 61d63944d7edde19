// Cube's query, with what its planner answers wrongly put right: facts beside each other, filters, times, names.

import allocator from "@cubejs-backend/schema-compiler/dist/src/adapter/ParamAllocator.js";
import baseQuery from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
import type { BaseMeasure } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseMeasure.js";
import type { FinishedJoinTree } from "@cubejs-backend/schema-compiler/dist/src/compiler/JoinGraph.js";
import type { PreAggregations } from "@cubejs-backend/schema-compiler/dist/src/adapter/PreAggregations.js";
import { standalone } from "./spelling/atomic.ts";
import { isUnit, UNITS } from "./time/period.ts";
import { symbolSql, type MemberSymbol } from "./clock.ts";
import { factsOf, joinsOf, refuseCircle, type Joins } from "./facts.ts";
import { joinedCubes } from "./joined-cubes.ts";
import { MemberDimension, MemberFilter, MemberMeasure, MemberTimeDimension, typeOf } from "./members.ts";
import { orderColumns } from "./order.ts";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";
import { rollingSql } from "./rolling.ts";
import { describeSubQuery, missedKeys } from "./sub-query.ts";
import type { Spelling } from "./spelling/spelling.ts";
import { openZone, type Zone } from "./time/zone.ts";

/** PostgreSQL cuts longer names off, and the part that is lost may be all that distinguishes two names. */
const ALIAS_LENGTH_MAX = 60;
const COUNTS = new Set(["count", "countDistinct", "countDistinctApprox"]);
const NO_PRE_AGGREGATIONS = {
  findPreAggregationForQuery: () => undefined,
  findPreAggregationToUseForCube: () => undefined,
} as unknown as PreAggregations;

/** Some of a query's measures, by each group of its dimensions. */
type MeasuredPart = { sql: string; measures: BaseMeasure[] };

/** Beside the values, the names that a query and the queries within it have given. */
class Allocator extends allocator.ParamAllocator {
  readonly aliases = new Map<string, string>();
  readonly #placeholder: (index: number) => string;

  constructor(placeholder: (index: number) => string) {
    super();
    this.#placeholder = placeholder;
  }

  override paramPlaceHolder(index: number): string {
    return this.#placeholder(index);
  }
}

export abstract class PlannedQuery extends baseQuery.BaseQuery {
  abstract get spelling(): Spelling;
  declare joinError: unknown;
  declare factQueries: Planned[] | undefined;

  get zone(): Zone {
    return openZone((this.timezone as string | undefined) ?? "UTC");
  }

  /** The part of the join of all facts that was taken, known once the SQL is built. */
  joins(): Joins {
    return joinsOf(this);
  }

  override isRolling(): boolean {
    return this.measures.some((measure) => measure.isCumulative());
  }

  shownTime(sql: string, [since, until]: [number, number] = [-Infinity, Infinity]): string {
    return this.spelling.shown(standalone(sql), this.zone, () => this.zone.changesWithin(since, until));
  }

  override newParamAllocator(): Allocator {
    return new Allocator((index) => this.spelling.placeholder(index));
  }

  override newPreAggregations(): PreAggregations {
    return NO_PRE_AGGREGATIONS;
  }

  override newFilter(filter: unknown): MemberFilter {
    return new MemberFilter(this, filter);
  }

  override newMeasure(path: unknown): MemberMeasure {
    return new MemberMeasure(this, path);
  }

  override newTimeDimension(timeDimension: unknown): MemberTimeDimension {
    return new MemberTimeDimension(this, timeDimension);
  }

  override newDimension(path: unknown): ReturnType<baseQuery.BaseQuery["newDimension"]> {
    const isGranularity = typeof path === "string" && path.split(".").at(-2) === "granularities";
    return isGranularity ? super.newDimension(path) : new MemberDimension(this, path);
  }

  override subQueryOptions(options: object): object {
    const { inSubQueries } = this.options;
    return { inSubQueries, ...super.subQueryOptions(options), useNativeSqlPlanner: false, isPart: true };
  }

  /** Cube's own method leaves empty groups out, whatever stands beside them. */
  override extractFiltersAsTree(filters: { and?: unknown[]; or?: unknown[] }[] = []): unknown {
    if (filters.some(({ and, or }) => (and ?? or)?.length === 0))
      throw new Refused("An empty group of filters says neither all nor nothing.");
    return super.extractFiltersAsTree(filters);
  }

  override prebuildJoin(): void {
    this.joinError = undefined;
    try {
      super.prebuildJoin();
    } catch (error) {
      if (this.options.isPart || this.options.ungrouped || this.measures.length === 0) throw error;
      this.joinError = error;
    }
  }

  override buildParamAnnotatedSql(): string {
    const sql = this.fullKeyQueryAggregate();
    return this.options.totalQuery ? this.countAllQuery(sql) : sql;
  }

  /** Not aggregated, a measure is a value of its row, however often a join repeats that. */
  override fullKeyQueryAggregate(): string {
    if (this.ungrouped) return this.simpleQuery();
    this.factQueries = factsOf(this);
    return this.factQueries ? this.besideSql(this.factQueries.map(factPart)) : this.#sql();
  }

  #sql(): string {
    const measures = this.fullKeyQueryAggregateMeasures(undefined);
    const regular = measures.regularMeasures as BaseMeasure[];
    const multiplied = measures.multipliedMeasures as BaseMeasure[];
    const cumulative = measures.cumulativeMeasures as [boolean, BaseMeasure][];
    if (measures.multiStageMembers.length > 0) throw new Refused("Multi-stage members can't be queried.");
    const isOrderedAround = !this.spelling.ordersAggregates && regular.length > 0 && orderColumns(this).length > 0;
    const keys = missedKeys(this);
    if (multiplied.length + cumulative.length + keys.length === 0 && !isOrderedAround) return this.simpleQuery();
    const cubes = Map.groupBy(multiplied, (measure) => measure.cube().name);
    const parts: MeasuredPart[] = [
      ...keys.map((sql) => ({ sql, measures: [] })),
      ...(regular.length === 0 ? [] : [{ sql: this.regularMeasuresSubQuery(regular, undefined), measures: regular }]),
      ...[...cubes].map(([cube, each]) => ({
        sql: this.aggregateSubQuery(cube, each, this.allFilters!),
        measures: each,
      })),
      ...cumulative.map(([isMultiplied, measure]) => ({
        sql: rollingSql(this, measure, isMultiplied),
        measures: [measure],
      })),
    ];
    return this.besideSql(parts);
  }

  /** A group that a part lacks has none of what that counts. */
  besideSql(parts: readonly MeasuredPart[]): string {
    const dimensions = this.dimensionAliasNames() as string[];
    const columnsOf = (measures: readonly BaseMeasure[]) => measures.map((measure) => measure.aliasName());
    const from =
      parts.length === 1
        ? `(${parts[0]!.sql}) AS q`
        : this.spelling.beside(
            dimensions,
            parts.map(({ sql, measures }) => ({ sql, columns: columnsOf(measures) })),
            "q",
          );
    const renderedReference = Object.fromEntries(
      parts
        .flatMap(({ measures }) => measures)
        .map((measure) => [this.#pathOf(measure), this.#cell(measure, parts.length)]),
    );
    const [columns, where] = this.evaluateSymbolSqlWithContext(
      () => [
        [...dimensions.map((alias) => `q.${alias}`), ...this.measures.flatMap((measure) => measure.selectColumns())],
        this.baseWhere(this.measureFilters),
      ],
      { renderedReference },
    ) as [string[], string];
    return `SELECT ${columns.join(", ")} FROM ${from}${where}${this.orderBy()}${this.groupByDimensionLimit()}`;
  }

  #cell(measure: BaseMeasure, parts: number): string {
    const isCount = COUNTS.has(typeOf(measure.definition())) && !measure.isCumulative();
    return parts > 1 && isCount ? `COALESCE(${measure.aliasName()}, 0)` : measure.aliasName();
  }

  #pathOf({ measure, expressionCubeName, expressionName }: BaseMeasure): string {
    if (typeof measure === "string") return measure;
    return this.cubeEvaluator.pathFromArray([measure?.originalCubeName ?? expressionCubeName, expressionName]);
  }

  /** A member keeps the meaning of its own SQL within another's. */
  override evaluateSymbolSql(...symbol: MemberSymbol): unknown {
    const sql: unknown = symbolSql(this, symbol, () => super.evaluateSymbolSql(...symbol));
    return typeof sql === "string" ? standalone(sql) : sql;
  }

  override subQueryDescription(dimension: string): ReturnType<baseQuery.BaseQuery["subQueryDescription"]> {
    return describeSubQuery(this, dimension);
  }

  override joinQuery(tree: FinishedJoinTree, subQueries: string[]): string {
    return joinedCubes(this, tree, subQueries);
  }

  /** The keys are joined to the filtered members, too: a filter may be on a measure of another cube. */
  override keysQuery(primaryKeys: unknown[], filters: unknown[]): string {
    const members = [...this.keyDimensions(primaryKeys as never), ...filters] as never[];
    const inSubQueries = this.collectFrom(
      members,
      this.collectSubQueryDimensionsFor.bind(this),
      "collectSubQueryDimensionsFor",
    );
    const inline: unknown[] = [];
    const from = this.rewriteInlineWhere(() => this.joinQuery(this.join, inSubQueries), inline);
    const where = this.baseWhere([...filters, ...inline] as never);
    return `SELECT DISTINCT ${this.keysSelect(primaryKeys as never)} FROM ${from} ${where}`;
  }

  override castToString(sql: string): string {
    return this.spelling.keyText([sql]);
  }

  override concatStringsSql(strings: string[]): string {
    return this.spelling.concat(strings);
  }

  override countDistinctApprox(sql: string): string {
    return this.spelling.countDistinctApprox(sql);
  }

  override aggregateOnGroupedColumn(
    ...[symbol, ...rest]: Parameters<baseQuery.BaseQuery["aggregateOnGroupedColumn"]>
  ): string | undefined {
    return symbol.type === "countDistinctApprox"
      ? undefined
      : (super.aggregateOnGroupedColumn(symbol, ...rest) as string | undefined);
  }

  override convertTz(field: string): string {
    return this.shownTime(field);
  }

  override timeGroupedColumn(granularity: string, dimension: string): string {
    if (!isUnit(granularity)) throw new Refused(`Times are grouped by ${UNITS.join(", ")}, not by ${granularity}.`);
    return this.spelling.truncated(dimension, granularity);
  }

  override escapeColumnName(name: string): string {
    return this.spelling.name(name);
  }

  /** Two names never have one alias, within a query and the queries in it. */
  override aliasName(name: string): string {
    const { aliases } = this.paramAllocator as Allocator;
    const wanted = (super.aliasName(name) as string).slice(0, ALIAS_LENGTH_MAX);
    let alias = wanted;
    for (let i = 2; (aliases.get(alias) ?? name) !== name; i++)
      alias = `${wanted.slice(0, -String(i).length - 1)}_${i}`;
    aliases.set(alias, name);
    return alias;
  }

  override orderBy(): string {
    const columns = orderColumns(this).map(({ descending, ...column }) => this.spelling.orderBy(column, descending));
    return columns.length === 0 ? "" : ` ORDER BY ${columns.join(", ")}`;
  }

  override groupByDimensionLimit(): string {
    const limit = this.rowLimit === null || this.rowLimit === undefined ? undefined : Number(this.rowLimit);
    return this.spelling.limit(limit, Number(this.offset ?? 0));
  }
}

const factPart = (fact: Planned): MeasuredPart => ({ sql: fact.buildParamAnnotatedSql(), measures: fact.measures });

type EnrichHints = (this: PlannedQuery, tree: FinishedJoinTree, hints: string[]) => string[][];
const inherited = baseQuery.BaseQuery.prototype as unknown as { enrichedJoinHintsFromJoinTree: EnrichHints };

// Where joins lead in a circle Cube follows them until its memory is full. Its types say that this is private, and no
// class may override it.
Object.defineProperty(PlannedQuery.prototype, "enrichedJoinHintsFromJoinTree", {
  value: function (tree, hints) {
    refuseCircle(tree.joins);
    return inherited.enrichedJoinHintsFromJoinTree.call(this, tree, hints);
  } satisfies EnrichHints,
});
