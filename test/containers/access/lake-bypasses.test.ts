// Ways around what roles grant of a lake. Each statement, sent by a member who sees a part, has to answer as over a
// lake from which the hidden was deleted: the same rows, the same refusal, the same words.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN_NAME, HIDDEN_NUMBER, HIDDEN_TEXT, leaksIn } from "../../support/node/access/canaries.ts";
import { RestrictedLake, type Outcome } from "../../support/node/access/restricted-lake.ts";

let lakes: RestrictedLake;
beforeAll(async () => {
  lakes = await RestrictedLake.open();
}, 120_000);
afterAll(() => lakes.close());

const T = "sales.orders";
const DENIED = `${HIDDEN_NAME}schema.${HIDDEN_NAME}table`;
const HIDDEN = `${HIDDEN_NAME}column`;
const FAILS_ON_HIDDEN = "CAST(note AS BIGINT)";

/** Hidden notes are no numbers, and hidden tags, amounts and dates of other kinds: whoever computes on them fails. */
const COMPUTES_ON_HIDDEN_ROWS = [
  `SELECT sum(${FAILS_ON_HIDDEN}) AS n FROM ${T}`,
  `SELECT id FROM ${T} WHERE ${FAILS_ON_HIDDEN} > 23000 ORDER BY id`,
  `SELECT count(*) FROM ${T} WHERE ${FAILS_ON_HIDDEN} IS NOT NULL AND region IS NOT NULL`,
  `SELECT count(*) FROM ${T} WHERE CASE WHEN note LIKE '${HIDDEN_TEXT}%' THEN error(note) ELSE true END`,
  `SELECT count(*) FROM ${T} WHERE amount > 700000 AND error(note) IS NULL`,
  `SELECT count(*) FROM ${T} WHERE made > TIMESTAMP '2030-01-01' AND error('there are rows') IS NULL`,
  `SELECT count(*) FROM ${T} WHERE region <> 'north' AND error(region) IS NULL`,
  `SELECT count(*) FROM ${T} WHERE region IS NULL AND error('a row without region') IS NULL`,
  `SELECT count(*) FROM ${T} WHERE note IN (SELECT CAST(${FAILS_ON_HIDDEN} AS VARCHAR) FROM ${T})`,
  `SELECT count(*) FROM ${T} t JOIN range(9) r(k) ON CAST(t.note AS BIGINT) = r.k`,
  `SELECT count(*) FROM ${T} t JOIN range(9) r(k) ON t.id = r.k AND CAST(t.note AS BIGINT) >= 0`,
  `SELECT count(*) FROM range(9) r(k) LEFT JOIN ${T} t ON t.id = r.k AND CAST(t.note AS BIGINT) >= 0`,
  `SELECT count(*) FROM range(9) r(k) SEMI JOIN ${T} t ON CAST(t.note AS BIGINT) = r.k`,
  `SELECT count(*) FROM range(9) r(k) ANTI JOIN ${T} t ON CAST(t.note AS BIGINT) = r.k`,
  `SELECT r.k, t.id FROM range(9) r(k) ASOF JOIN ${T} t ON r.k >= CAST(t.note AS BIGINT) ORDER BY 1`,
  `SELECT count(*) FROM range(9) r(k), ${T} t WHERE CAST(t.note AS BIGINT) = r.k`,
  `SELECT r.k, l.id FROM range(9) r(k), LATERAL (SELECT id FROM ${T} t WHERE CAST(t.note AS BIGINT) = r.k) l ORDER BY 1`,
  `SELECT k, (SELECT max(note) FROM ${T} t WHERE CAST(t.note AS BIGINT) = r.k) AS m FROM range(9) r(k) ORDER BY 1`,
  `SELECT k FROM range(9) r(k) WHERE EXISTS (FROM ${T} t WHERE CAST(t.note AS BIGINT) = r.k) ORDER BY 1`,
  `SELECT k FROM range(9) r(k) WHERE k = ANY (SELECT ${FAILS_ON_HIDDEN} FROM ${T}) ORDER BY 1`,
  `SELECT id FROM ${T} ORDER BY ${FAILS_ON_HIDDEN} DESC LIMIT 5`,
  `SELECT ${FAILS_ON_HIDDEN} % 7 AS k, count(*) AS n FROM ${T} GROUP BY k ORDER BY k`,
  `SELECT region, count(*) AS n FROM ${T} GROUP BY ROLLUP (region, ${FAILS_ON_HIDDEN} % 2) ORDER BY ALL`,
  `SELECT region, max(${FAILS_ON_HIDDEN}) AS n FROM ${T} GROUP BY region HAVING sum(${FAILS_ON_HIDDEN}) > 0`,
  `SELECT count(*) FILTER (WHERE ${FAILS_ON_HIDDEN} > 10) AS n FROM ${T}`,
  `SELECT id, sum(${FAILS_ON_HIDDEN}) OVER (ORDER BY id) AS s FROM ${T} QUALIFY row_number() OVER (ORDER BY id) < 9 ORDER BY 1`,
  `SELECT DISTINCT ON (${FAILS_ON_HIDDEN} % 3) ${FAILS_ON_HIDDEN} % 3 AS k FROM ${T} ORDER BY 1`,
  `WITH a AS MATERIALIZED (FROM ${T}) SELECT sum(${FAILS_ON_HIDDEN}) AS n FROM a WHERE ${FAILS_ON_HIDDEN} >= 0`,
  `WITH a AS NOT MATERIALIZED (FROM ${T}) SELECT count(*) AS n FROM a JOIN a b ON CAST(a.note AS BIGINT) = CAST(b.note AS BIGINT)`,
  `WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 3 FROM r WHERE i < 30 AND EXISTS (FROM ${T} WHERE ${FAILS_ON_HIDDEN} = i)) SELECT max(i) AS i FROM r`,
  `SELECT count(*) FROM (FROM ${T} UNION ALL FROM ${T}) WHERE ${FAILS_ON_HIDDEN} >= 0`,
  `SELECT count(*) FROM (SELECT note FROM ${T} EXCEPT SELECT 'x') WHERE ${FAILS_ON_HIDDEN} >= 0`,
  `SELECT sum(CAST(v AS BIGINT)) AS n FROM (SELECT unnest([note]) AS v FROM ${T})`,
  `SELECT sum(CAST(tags[2] AS BIGINT)) AS n, count(DISTINCT info.b) AS b FROM ${T} WHERE CAST(tags[2] AS BIGINT) > 5`,
  `SELECT max(list_reduce(list_prepend('0', tags[2:]), lambda a, b: CAST(CAST(b AS BIGINT) AS VARCHAR))) AS m FROM ${T}`,
  `SELECT count(*) FROM ${T} WHERE info.a < 0 OR info.b = '${HIDDEN_TEXT}' AND error(info.b) IS NULL`,
  `SELECT count(TRY(${FAILS_ON_HIDDEN})) AS n, count(*) AS m FROM ${T}`,
  `SELECT count(*) FROM ${T} WHERE regexp_matches(note, '^[0-9]+$') IS FALSE`,
  `SELECT * FROM (SELECT region, id % 2 AS k, ${FAILS_ON_HIDDEN} AS v FROM ${T}) PIVOT (sum(v) FOR k IN (0, 1)) ORDER BY 1`,
  `SELECT name, count(*) AS n FROM (UNPIVOT (SELECT note, pad FROM ${T}) ON note, pad) WHERE name = 'note' AND CAST(value AS BIGINT) >= 0 GROUP BY 1`,
  `SELECT count(*) FROM main.tickets WHERE CAST(title[8:] AS BIGINT) >= 0`,
  `SELECT max(CAST(id AS TINYINT)) FROM (SELECT id FROM main.tickets WHERE id < 100 OR id > 9000)`,
];

const READS_HIDDEN_CELLS = [
  `SELECT ${HIDDEN} FROM ${T}`,
  `SELECT t.${HIDDEN} FROM ${T} AS t`,
  `SELECT ${T}.${HIDDEN} FROM ${T}`,
  `SELECT LAKE.${T}.${HIDDEN} FROM ${T}`,
  `SELECT 1 FROM ${T} WHERE ${HIDDEN} > 'a' LIMIT 1`,
  `SELECT count(*) FROM ${T} JOIN (SELECT 'x' AS ${HIDDEN}) USING (${HIDDEN})`,
  `SELECT count(*) FROM ${T} NATURAL JOIN (SELECT '${HIDDEN_TEXT} 3' AS ${HIDDEN})`,
  `SELECT * EXCLUDE (${HIDDEN}) FROM ${T}`,
  `SELECT * REPLACE (1 AS ${HIDDEN}) FROM ${T}`,
  `SELECT * RENAME (${HIDDEN} AS x) FROM ${T}`,
  `SELECT COLUMNS('${HIDDEN_TEXT}.*') FROM ${T}`,
  `SELECT COLUMNS(lambda c: c LIKE '%c_l%') FROM ${T}`,
  `SELECT COLUMNS('^(column|grant|fjord) ') FROM ${T}`,
  `SELECT "column 6" FROM ${T}`,
  `SELECT "column 1", "grant 0" FROM ${T}`,
  `SELECT t FROM ${T} AS t ORDER BY t.id LIMIT 3`,
  `SELECT to_json(t) AS j FROM ${T} AS t ORDER BY t.id LIMIT 3`,
  `SELECT unnest(t) FROM (SELECT t FROM ${T} AS t ORDER BY t.id LIMIT 3) q`,
  `SELECT struct_extract(t, '${HIDDEN}') FROM ${T} AS t`,
  `SELECT struct_extract_at(t, 6) AS v FROM (SELECT t FROM ${T} AS t ORDER BY t.id LIMIT 3)`,
  `SELECT hash(t) AS h FROM ${T} AS t ORDER BY t.id LIMIT 3`,
  `SELECT min(pin) AS a, max(pin) AS b, sum(pin) AS s, count(DISTINCT pin) AS n, min(owner) AS o FROM ${T}`,
  `SELECT count(*) FROM ${T} WHERE pin > 0`,
  `SELECT count(*) FROM ${T} WHERE owner LIKE '${HIDDEN_TEXT}%' OR owner <> 'nobody'`,
  `SELECT pin, owner, count(*) AS n FROM ${T} GROUP BY ALL`,
  `SELECT id FROM ${T} ORDER BY owner DESC, pin DESC, id LIMIT 5`,
  `SELECT count(*) FROM ${T} t JOIN (SELECT ${HIDDEN_NUMBER}003 AS pin) USING (pin)`,
  `SELECT count(*) AS n, count(salary) AS s, sum(salary) AS t, max(salary) AS m FROM people`,
  `SELECT id FROM people WHERE salary > 100000 ORDER BY 1`,
  `SELECT id FROM people WHERE error(salary::VARCHAR) IS NULL AND salary > 100000`,
  `SELECT count(*) FROM people WHERE CAST(pin AS BIGINT) >= 0 AND dept = 'eng'`,
  `SELECT count(*) FROM people WHERE CAST(replace(pin, 'masked', '0') AS BIGINT) >= 0`,
  `SELECT id, salary FROM people ORDER BY salary DESC NULLS LAST, id LIMIT 5`,
  `SELECT dept, max(salary) AS m, min(pin) AS p, list(DISTINCT pin = 'masked') AS l FROM people GROUP BY 1 ORDER BY 1`,
  `SELECT count(*) FROM people WHERE salary IS NULL AND dept = 'eng'`,
  `SELECT count(*) FROM people a JOIN people b ON a.salary = b.salary`,
  `SELECT email, city, born, count(*) AS n FROM contacts GROUP BY ALL ORDER BY ALL`,
  `SELECT count(*) FROM contacts WHERE email LIKE '${HIDDEN_TEXT}%' OR born > DATE '1970-01-05'`,
  `SELECT min(born) AS a, max(born) AS b, max(email) AS c FROM contacts`,
  `SELECT ${HIDDEN_NAME}phone FROM contacts`,
  `SELECT ${HIDDEN_NAME}team FROM tickets`,
  `SELECT count(*) FROM tickets WHERE ${HIDDEN_NAME}team = 'theirs'`,
];

const COUNTS_AND_BOUNDS = [
  `SELECT count(*) AS n FROM ${T}`,
  `SELECT count(*) AS n, count(region) AS r, count(note) AS m, count(DISTINCT region) AS d FROM ${T}`,
  `SELECT count(*) AS n FROM ${T} WHERE 1 = 1`,
  `SELECT count(*) AS n FROM ${T} WHERE false`,
  `SELECT count(*) AS n FROM (SELECT 1 FROM ${T})`,
  `SELECT count(*) AS n FROM ${T} a, (FROM ${T} LIMIT 3) b`,
  `SELECT EXISTS (FROM nothing) AS n, (SELECT count(*) FROM nothing) AS m`,
  `SELECT count(*) AS n, min(id) AS a, max(id) AS b FROM tickets`,
  `SELECT count(*) AS n FROM people`,
  `SELECT count(*) AS n FROM contacts`,
  `FROM nothing`,
  `SELECT min(amount) AS a, max(amount) AS b, min(made) AS c, max(made) AS d, max(region) AS e FROM ${T}`,
  `SELECT id, region FROM ${T} ORDER BY amount DESC, id LIMIT 5`,
  `SELECT id, note FROM ${T} ORDER BY made DESC LIMIT 1`,
  `SELECT count(*) AS n FROM (FROM ${T} LIMIT 5000)`,
  `SELECT count(*) AS n FROM (FROM ${T} LIMIT 20000 OFFSET 100)`,
  `SELECT count(*) AS n FROM (FROM ${T} OFFSET 7000)`,
  `SELECT max(id) AS n FROM (SELECT id FROM ${T} LIMIT (SELECT count(*) FROM ${T}))`,
  `SELECT count(*) AS n FROM range((SELECT count(*) FROM ${T}))`,
  `SELECT region, count(*) AS n FROM ${T} GROUP BY GROUPING SETS ((region), ()) ORDER BY ALL`,
  `SELECT list_sort(list(DISTINCT region)) AS l, string_agg(DISTINCT info.b, ',') AS s, any_value(region) AS a, mode(region) AS m FROM ${T}`,
  `SELECT histogram(region) AS h, approx_count_distinct(region) AS d, approx_top_k(region, 3) AS k FROM ${T}`,
  `SELECT arg_max(note, amount) AS a, max_by(region, made) AS b, quantile_disc(amount, 0.999) AS q, bit_or(id) AS o FROM ${T}`,
  `SELECT first_value(region) OVER (ORDER BY amount DESC) AS r, ntile(3) OVER (ORDER BY id) AS n, lead(note) OVER (ORDER BY id) AS l FROM ${T} ORDER BY id LIMIT 4`,
  `SELECT row_number() OVER () AS n, id FROM ${T} ORDER BY id LIMIT 4`,
  `SELECT count(*) AS n FROM ${T} t POSITIONAL JOIN range(5)`,
  `SELECT reverse(max(region)) AS a, hex(max(region)) AS b, base64(encode(max(region))) AS c, md5(max(note)) AS d FROM ${T}`,
  `SELECT count(*) AS n FROM ${T} WHERE region = 'north' OR amount = ${HIDDEN_NUMBER}.25`,
  `SELECT count(*) AS n FROM ${T} WHERE amount IN (SELECT ${HIDDEN_NUMBER}.25 UNION ALL SELECT 0.03)`,
  `SELECT typeof(pin) AS a, typeof(info) AS b, typeof(t) AS c FROM ${T} AS t LIMIT 1`,
];

const NAMES = [
  `SELECT * FROM ${DENIED}`,
  `SELECT * FROM LAKE.${DENIED}`,
  `SELECT * FROM ${HIDDEN_NAME}table`,
  `SELECT * FROM sales."order"`,
  `SELECT * FROM sales.ordr`,
  `SELECT * FROM ordres`,
  `SELECT * FROM sales.${HIDDEN_NAME}table`,
  `SELECT * FROM ${HIDDEN_NAME}schema.orders`,
  `DESCRIBE ${DENIED}`,
  `SUMMARIZE ${DENIED}`,
  `SELECT 1 WHERE false AND EXISTS (FROM ${DENIED})`,
  `WITH ${HIDDEN_NAME}table AS (FROM ${DENIED}) FROM ${HIDDEN_NAME}table`,
  `SELECT (SELECT count(*) FROM ${DENIED}) AS n FROM ${T}`,
  `SELECT * FROM ${DENIED} AT (VERSION => 2)`,
  `SELECT * FROM "fjord rows"."2"`,
  `SELECT * FROM LAKE."fjord rows"."2"`,
  `SELECT * FROM "LAKE rows".sales.orders`,
  `SELECT ${HIDDEN.slice(0, -1)} FROM ${T}`,
  `SELECT ${HIDDEN_NAME} FROM ${T}`,
  `SELECT rowid FROM ${T}`,
  `SELECT filename FROM ${T}`,
  `SELECT file_row_number FROM ${T}`,
  `SELECT file_index FROM ${T}`,
  `SELECT "fjord file" FROM ${T}`,
  `SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY ALL`,
  `SELECT table_schema, table_name, column_name, data_type, ordinal_position, is_nullable FROM information_schema.columns ORDER BY 1, 2, 5`,
  `SELECT t.*, c.n FROM information_schema.tables t, (SELECT count(*) AS n FROM ${T}) c ORDER BY ALL`,
  `SELECT schema_name FROM information_schema.schemata ORDER BY 1`,
  `SELECT * FROM information_schema.views`,
  `SHOW TABLES`,
  `SHOW ALL TABLES`,
  `SHOW TABLES FROM sales`,
  `SHOW TABLES FROM ${HIDDEN_NAME}schema`,
  `DESCRIBE ${T}`,
  `DESCRIBE people`,
  `DESCRIBE contacts`,
  `DESCRIBE SELECT * FROM ${T}`,
  `SELECT * FROM (DESCRIBE ${T})`,
  `SUMMARIZE ${T}`,
  `SUMMARIZE people`,
  `SUMMARIZE contacts`,
  `SUMMARIZE nothing`,
  `SELECT * FROM (SUMMARIZE tickets)`,
  `PRAGMA table_info('sales.orders')`,
  `PRAGMA storage_info('sales.orders')`,
  `FROM pragma_table_info('sales.orders')`,
  `FROM duckdb_tables()`,
  `FROM duckdb_columns()`,
  `FROM duckdb_views()`,
  `FROM duckdb_logs()`,
  `FROM pg_catalog.pg_class`,
  `FROM pg_stats`,
  `FROM sqlite_master`,
  `FROM glob('*')`,
  `FROM read_parquet('*/*')`,
  `FROM parquet_metadata('x')`,
  `FROM parquet_schema('x')`,
  `FROM query_table('sales.orders')`,
  `FROM query('FROM ${DENIED}')`,
  `SELECT stats(pin) FROM ${T}`,
  `SELECT pg_get_viewdef('orders')`,
  `SELECT current_setting('disabled_optimizers')`,
  `SET disabled_optimizers = ''`,
  `SELECT * FROM (EXPLAIN SELECT * FROM ${T})`,
  `SELECT json_serialize_plan('SELECT * FROM ${T}', optimize := true)`,
  `SELECT json_execute_serialized_sql(json_serialize_sql('SELECT * FROM ${DENIED}'))`,
  `CREATE VIEW v AS FROM ${T}`,
  `COPY ${T} TO 'x.csv'`,
  `SELECT CAST('x' AS ${HIDDEN_NAME}table)`,
];

const THE_PAST = [
  `SELECT count(*) AS n, max(amount) AS m FROM ${T} AT (VERSION => 3)`,
  `SELECT sum(CAST(note AS BIGINT)) AS n FROM ${T} AT (VERSION => 3) WHERE CAST(note AS BIGINT) >= 0`,
  `SELECT ${HIDDEN} FROM ${T} AT (VERSION => 3)`,
  `SELECT max(pin) AS p, max(owner) AS o FROM LAKE.${T} AT (VERSION => 3) AS t`,
  `SELECT count(*) AS n FROM ${T} AT (VERSION => 3) a JOIN ${T} b ON a.id = b.id AND CAST(a.note AS BIGINT) = CAST(b.note AS BIGINT)`,
  `SELECT max(salary) AS n FROM people AT (VERSION => 4)`,
  `DESCRIBE SELECT * FROM ${T} AT (VERSION => 3)`,
  `SUMMARIZE SELECT * FROM ${T} AT (VERSION => 3)`,
  `SELECT count(*) FROM sales."order" AT (VERSION => 3)`,
];

/** Rows in an order of their own, where the statement gives them none; without what SUMMARIZE estimates. */
function comparable(outcome: Outcome, sql: string): unknown {
  if (!("document" in outcome) || /ORDER BY/i.test(sql)) return outcome;
  const { data, ...rest } = outcome.document as { data: Record<string, unknown>[] };
  const exact = data.map(({ q25: _, q50: __, q75: ___, avg: ____, std: _____, ...row }) => JSON.stringify(row));
  return { ...rest, data: exact.sort() };
}

describe.each(Object.entries({ COMPUTES_ON_HIDDEN_ROWS, READS_HIDDEN_CELLS, COUNTS_AND_BOUNDS, NAMES, THE_PAST }))(
  "a member who sees a part of a lake (%s)",
  (_, corpus) => {
    it.each(corpus)("learns nothing by %s", async (sql) => {
      const expected = comparable(await lakes.onTwin(sql), sql);
      for (const isCold of [true, false]) {
        const outcome = await lakes.asMember(sql, { isCold });
        expect(leaksIn(JSON.stringify(outcome), sql)).toEqual([]);
        expect(comparable(outcome, sql)).toEqual(expected);
      }
    });
  },
);

describe("a member who sees a part of a lake", () => {
  it.each([
    `EXPLAIN SELECT * FROM ${T}`,
    `EXPLAIN ANALYZE SELECT count(*) FROM ${T} WHERE amount > 1`,
    `EXPLAIN SELECT 1 WHERE EXISTS (FROM tickets)`,
    `EXPLAIN SELECT salary FROM people`,
    `EXPLAIN ANALYZE SELECT 1 FROM open, nothing`,
    `EXPLAIN SELECT * FROM ${T} AT (VERSION => 3)`,
  ])("is shown no plan by %s", async (sql) => {
    for (const isCold of [true, false]) {
      const outcome = await lakes.asMember(sql, { isCold });
      expect(outcome).toEqual({
        failure: { code: "statement_refused", message: "EXPLAIN can't be used on a table of which you see a part." },
      });
    }
  });

  it.each([`EXPLAIN SELECT id, email FROM contacts WHERE city = 'Oslo'`, `EXPLAIN ANALYZE FROM contacts LIMIT 3`])(
    "finds nothing hidden in %s",
    async (sql) => {
      for (const isCold of [true, false]) {
        const outcome = await lakes.asMember(sql, { isCold });
        expect(outcome).toHaveProperty("document");
        expect(leaksIn(JSON.stringify(outcome), sql)).toEqual([]);
      }
    },
  );

  it.each([
    [`SELECT * FROM ${T} USING SAMPLE 50 ROWS`, 50],
    [`SELECT * FROM ${T} TABLESAMPLE reservoir(40 ROWS) REPEATABLE (7)`, 40],
    [`SELECT * FROM ${T} USING SAMPLE 100 PERCENT (bernoulli)`, 7_733],
    [`SELECT * FROM ${T} TABLESAMPLE SYSTEM (100%)`, 7_733],
    [`SELECT * FROM people USING SAMPLE 30 ROWS`, 30],
    [`SELECT * FROM tickets USING SAMPLE 30 ROWS`, 30],
    [`SELECT * FROM nothing USING SAMPLE 30 ROWS`, 0],
  ])("samples what there is, by %s", async (sql, rows) => {
    for (const isCold of [true, false]) {
      const { document } = (await lakes.asMember(sql, { isCold })) as { document: { rowCount: number } };
      expect(leaksIn(JSON.stringify(document), sql)).toEqual([]);
      expect(document.rowCount).toBe(rows);
    }
  });

  it.each([
    ["sales", "orders", "region", "varchar"],
    ["sales", "orders", "amount", "decimal(12,2)"],
    ["sales", "orders", "made", "timestamp"],
    ["sales", "orders", "note", "varchar"],
    ["sales", "orders", "pin", "int64"],
    ["sales", "orders", HIDDEN, "varchar"],
    ["main", "people", "salary", "int64"],
    ["main", "people", "pin", "varchar"],
    ["main", "contacts", "email", "varchar"],
    ["main", "contacts", "born", "date"],
    ["main", "nothing", "id", "int64"],
    [`${HIDDEN_NAME}schema`, `${HIDDEN_NAME}table`, "id", "int64"],
  ])("has the profile of what is seen of %s.%s.%s", async (schema, table, column, type) => {
    const { member, twin } = await lakes.profiles({ schema, table, column, type });
    expect(leaksIn(JSON.stringify(member), [schema, table, column].join(" "))).toEqual([]);
    // Quantiles are estimates that depend on the order in which rows come.
    expect({ ...(member as object), quantiles: null }).toEqual({ ...(twin as object), quantiles: null });
  });

  it("has no more of the files read than by the same filter typed by hand", async () => {
    for (const [seen, typed] of [
      ["SELECT max(pad) FROM tickets", `SELECT max(pad) FROM tickets WHERE ${HIDDEN_NAME}team IN ('mine', 'ours')`],
      [`SELECT sum(amount) FROM ${T}`, `SELECT sum(amount) FROM ${T} WHERE region = 'north'`],
      ["SELECT count(*) FROM contacts", "SELECT count(*) FROM contacts"],
      ["FROM contacts LIMIT 3", "SELECT id, city, pad FROM contacts LIMIT 3"],
    ] as const) {
      const [member, admin] = [await lakes.bytesRead(seen, "member"), await lakes.bytesRead(typed, "admin")];
      expect([seen, member]).toEqual([seen, admin]);
    }
    expect(await lakes.bytesRead("SELECT count(*) AS n FROM nothing", "member")).toBe(0);
  });
});
