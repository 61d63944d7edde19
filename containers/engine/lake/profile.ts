// The live half of a column's profile: a few statements of our own, each through the same gate and locked database as a
// tenant's.

import { Failure, toFailure } from "../core/failure.ts";
import type { ColumnProfile, ProfileRequest } from "../../../kernel/wire/engine.ts";
import { type Axis, isFloat, scalarType } from "../../../kernel/lake/lake-types.ts";
import type { Lake } from "./read/lake.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import { quoteIdentifier } from "../duckdb/quoting.ts";
import { answerFacts, type LakeStatement } from "../core/statement.ts";
import { runLakeStatement } from "./run-statement.ts";

const TOP_MAX = 10;
const BINS = 20;
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Up to about so many different values all are counted; past it the top ones are picked by an estimate first. */
const DISTINCT_COUNTED_MAX = 1_000_000;
const VALUE_CHARACTERS_MAX = 256;
const ROWS_MAX = 1_000;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * How values become points of a line that bins divide, and how a point is written. `exact`: different values have
 * different points.
 */
type Line = { point: (column: string) => string; write: (point: string) => string; isWhole: boolean; exact: boolean };

export type Abilities = { compares: boolean; hasQuantiles: boolean; canBeInfinite: boolean; line: Line | undefined };

function abilitiesOf(type: string): Abilities {
  const scalar = scalarType(type);
  if (!scalar) return { compares: false, hasQuantiles: false, canBeInfinite: false, line: undefined };
  return {
    compares: true,
    hasQuantiles: scalar.axis !== "none",
    canBeInfinite: scalar.order === "float" || scalar.axis === "day" || scalar.axis === "microsecond",
    line: LINES[scalar.axis](type),
  };
}

const asText = (expression: string): string => `CAST(${expression} AS VARCHAR)`;

const LINES: Record<Axis, (type: string) => Line | undefined> = {
  bigint: () => ({ point: (column) => `CAST(${column} AS BIGINT)`, write: asText, isWhole: true, exact: true }),
  double: (type) => ({
    point: (column) => `CAST(${column} AS DOUBLE)`,
    write: asText,
    isWhole: false,
    exact: isFloat(type),
  }),
  day: () => ({
    point: (column) => `${column} - DATE '1970-01-01'`,
    write: (days) => asText(`DATE '1970-01-01' + CAST(${days} AS INTEGER)`),
    isWhole: true,
    exact: true,
  }),
  microsecond: (type) => {
    const zone = type === "timestamptz" ? " || '+00'" : "";
    return {
      point: (column) => `epoch_us(CAST(${column} AS TIMESTAMP))`,
      write: (us) => `${asText(`make_timestamp(${us})`)}${zone}`,
      isWhole: true,
      exact: type !== "timestamp_ns",
    };
  },
  timeOfDay: () => undefined,
  none: () => undefined,
};

type Figures = Omit<ColumnProfile, "lacking">;
type Ask = (sql: string) => Promise<Record<string, unknown>[]>;

/** The column that is profiled: `column` and `from` as SQL, `type` as the lake names it. */
type Target = { ask: Ask; column: string; from: string; type: string };

/**
 * Rejects where not even the counts could be had; figures that fail after that, or that the deadline cuts off, are
 * listed as lacking. The time it takes is bounded by `signal`.
 */
export async function profileColumn(request: ProfileRequest, lake: Lake, signal: AbortSignal): Promise<ColumnProfile> {
  const { schema, table, type } = request;
  const ask: Ask = (sql) => runOwn(request, sql, lake, signal);
  const column = quoteIdentifier(request.column);
  const from = `FROM "LAKE".${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
  const target: Target = { ask, column, from, type };
  const abilities = abilitiesOf(type);
  const [counted] = await ask(countsSql(target, abilities));
  const figures = countsOf(counted!, abilities);
  const lacking: ColumnProfile["lacking"] = abilities.compares
    ? []
    : [{ figure: "values", reason: `Values of the type ${type} are counted, not compared.` }];
  if (figures.values === 0 || !abilities.compares) return { ...figures, lacking };

  const part = async (figure: string, read: () => Promise<Partial<Figures>>): Promise<void> => {
    try {
      Object.assign(figures, await read());
    } catch (error) {
      const failure = toFailure(signal.aborted ? signal.reason : error);
      if (failure.code === "cancelled") throw failure;
      lacking.push({ figure, reason: failure.message });
    }
  };
  const { line } = abilities;
  if (line) await part("histogram", async () => ({ histogram: await readHistogram(target, abilities, line) }));
  await part("top", () => readTop(target, figures.distinct?.count ?? 0));
  return { ...figures, lacking };
}

const text = (value: string): string =>
  `CASE WHEN length(${value}) > ${VALUE_CHARACTERS_MAX} THEN left(${value}, ${VALUE_CHARACTERS_MAX - 1}) || '…' ` +
  `ELSE ${value} END`;
/** The spelling of the catalog's statistics. */
const textOf = (expression: string, type: string): string =>
  text(type === "blob" ? `hex(${expression})` : `CAST(${expression} AS VARCHAR)`);

function countsSql({ column, from, type }: Target, { compares, hasQuantiles, canBeInfinite }: Abilities): string {
  const figures = [
    `count(*) AS "rows"`,
    `count(${column}) AS "values"`,
    ...(compares
      ? [
          `${textOf(`min(${column})`, type)} AS "min"`,
          `${textOf(`max(${column})`, type)} AS "max"`,
          `approx_count_distinct(${column}) AS "distinct"`,
        ]
      : []),
    ...(canBeInfinite ? [`count(*) FILTER (WHERE NOT isfinite(${column})) AS "notFinite"`] : []),
    ...(hasQuantiles ? QUANTILES.map((at, i) => `${quantileSql(column, at, type, canBeInfinite)} AS "q${i}"`) : []),
  ];
  return `SELECT ${figures.join(", ")} ${from}`;
}

/** Estimated among doubles: the estimate of a number at the end of its type may lie past that end. */
function quantileSql(column: string, at: number, type: string, canBeInfinite: boolean): string {
  const finite = canBeInfinite ? ` FILTER (WHERE isfinite(${column}))` : "";
  const order = scalarType(type)?.order;
  if (order !== "whole" && order !== "decimal") return `CAST(approx_quantile(${column}, ${at})${finite} AS VARCHAR)`;
  const estimate = `approx_quantile(CAST(${column} AS DOUBLE), ${at})`;
  const own = duckdbType({ id: 0, name: column, type, nullable: true, children: [] });
  return `coalesce(CAST(TRY_CAST(${estimate} AS ${own}) AS VARCHAR), CAST(${estimate} AS VARCHAR))`;
}

function countsOf(row: Record<string, unknown>, { compares, canBeInfinite }: Abilities): Figures {
  const said = (name: string): string | null =>
    row[name] === null || row[name] === undefined ? null : String(row[name]);
  const quantiles = QUANTILES.flatMap((at, i) => (said(`q${i}`) === null ? [] : [{ at, value: said(`q${i}`)! }]));
  const values = Number(row.values);
  return {
    rows: Number(row.rows),
    values,
    notFinite: canBeInfinite ? Number(row.notFinite) : null,
    min: said("min"),
    max: said("max"),
    // An estimate can come out above what there is.
    distinct: compares ? { count: Math.min(Number(row.distinct), values), exact: values === 0 } : null,
    top: null,
    quantiles: quantiles.length > 0 ? quantiles : null,
    histogram: null,
  };
}

/** Edges are made here: DuckDB's own function for them does not end where doubles lie too close for so many. */
async function readHistogram(
  { ask, column, from }: Target,
  { canBeInfinite }: Abilities,
  { point, write, isWhole, exact }: Line,
): Promise<Figures["histogram"]> {
  const edge = isWhole
    ? `CAST(lowest + (CAST(highest AS HUGEINT) - lowest) * i // ${BINS} AS BIGINT)`
    : `lowest * ((${BINS} - i) / ${BINS}) + highest * (i / ${BINS})`;
  const onlyFinite = canBeInfinite ? ` AND isfinite(${column})` : "";
  const rows = await ask(`
    WITH finite AS (SELECT ${point(column)} AS v ${from} WHERE ${column} IS NOT NULL${onlyFinite}),
      ends AS (SELECT min(v) AS lowest, max(v) AS highest FROM finite WHERE v IS NOT NULL),
      edges AS (SELECT list(DISTINCT ${edge}) AS ends_of_bins FROM ends, range(1, ${BINS + 1}) AS r(i)
        WHERE lowest IS NOT NULL),
      counted AS (SELECT unnest(map_entries(histogram(v, (SELECT list_sort(ends_of_bins) FROM edges)))) AS bin FROM finite)
    SELECT ${write("bin.key")} AS "to", bin.value AS "count", ${write("(SELECT lowest FROM ends)")} AS "lowest"
      FROM counted ORDER BY bin.key`);
  const bins = rows.map(({ to, count, lowest }, i) => ({
    from: String(i === 0 ? lowest : rows[i - 1]!.to),
    to: String(to),
    count: Number(count),
  }));
  return bins.length > 0 ? { buckets: bins, exact } : null;
}

async function readTop({ ask, column, from, type }: Target, distinct: number): Promise<Partial<Figures>> {
  const isCounted = distinct <= DISTINCT_COUNTED_MAX;
  const picked = isCounted
    ? `${column} IS NOT NULL`
    : `${column} IN (SELECT unnest(approx_top_k(${column}, ${TOP_MAX})) ${from})`;
  const rows = await ask(`
    WITH groups AS (SELECT ${column} AS v, count(*) AS n ${from} WHERE ${picked} GROUP BY ALL)
    SELECT ${textOf("v", type)} AS "value", n AS "count", (SELECT count(*) FROM groups) AS "distinct"
      FROM groups ORDER BY n DESC, v LIMIT ${TOP_MAX}`);
  const values = rows.map(({ value, count }) => ({ value: String(value), count: Number(count) }));
  return {
    top: { values, exact: isCounted },
    ...(isCounted ? { distinct: { count: Number(rows[0]?.distinct ?? 0), exact: true } } : {}),
  };
}

/** The rows of a statement of ours: few, and read whole. */
async function runOwn(
  { id, lake: grant, deadlineMs }: ProfileRequest,
  sql: string,
  lake: Lake,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const chunks: Uint8Array[] = [];
  const statement: LakeStatement = {
    id,
    sql,
    target: { kind: "lake", lake: grant },
    result: { format: "json", numbers: "exact", rowsMax: ROWS_MAX, bytesMax: BYTES_MAX },
    deadlineMs,
    leaseMs: deadlineMs,
    ...answerFacts(),
  };
  await runLakeStatement(statement, lake, signal, { write: (bytes) => void chunks.push(bytes.slice()) });
  const answer = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
    success: boolean;
    data: Record<string, unknown>[];
    error?: { code: Failure["code"]; message: string };
  };
  if (!answer.success)
    throw new Failure(answer.error?.code ?? "internal", answer.error?.message ?? "The statement broke off.");
  return answer.data;
}
