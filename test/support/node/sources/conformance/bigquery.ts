// The fake of BigQuery for the conformance suite.

import { generateKeyPairSync } from "node:crypto";
import { FakeBigquery, type Spoil } from "../bigquery/fake-bigquery.ts";
import type { Answer } from "../bigquery/fake-jobs.ts";
import { KEY_FILE } from "../bigquery/fake-tokens.ts";
import { sqlEdits, type SourceUnderTest, type SuiteType, type ValueCase } from "./source-under-test.ts";

const DATASET = "conformance";
const VARIABLE = "ENGINE_BIGQUERY_EMULATOR";
/** A fault needs a page before its own and one behind it. */
const PAGE_ROWS = 40_000;

export async function bigqueryUnderTest(): Promise<SourceUnderTest> {
  const fake = await FakeBigquery.start();
  fake.jobs.pageRows = PAGE_ROWS;
  process.env[VARIABLE] = fake.url;
  const run = (sql: string) => fake.database.execute(sql);
  await run(`CREATE SCHEMA ${DATASET}`);
  const table = (name: string) => `\`${DATASET}.${name}\``;
  const generate = (rows: number) =>
    `SELECT i, CONCAT('row ', CAST(i AS STRING)) AS t FROM UNNEST(GENERATE_ARRAY(1, ${rows})) AS i`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const private_key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  return {
    source: fake.source(),
    refused: fake.source({ credentials_json: JSON.stringify({ ...KEY_FILE, private_key }) }),
    schema: DATASET,
    folding: "exact",
    values: VALUES,
    table,
    ...sqlEdits({ run, table, quote: (name) => `\`${name}\``, types: TYPES, literal }),
    generate,
    createGenerated: (name, rows) => run(`CREATE VIEW ${table(name)} AS ${generate(rows)}`),
    lastBound: () => {
      const { query, queryParameters = [] } = fake.jobs.statements.at(-1)!.request.configuration.query;
      return { sql: query, values: queryParameters.map(({ parameterValue }) => parameterValue.value ?? null) };
    },
    unheld: [],
    running: () => fake.jobs.running,
    connections: () => fake.connections(),
    faults: Object.fromEntries(
      Object.entries(FAULTS).map(([name, spoil]) => [
        name,
        () => fake.spoil("jobs.getQueryResults", (answer, url) => (isLater(url) ? spoil(answer, url) : answer)),
      ]),
    ),
    heal: () => fake.heal(),
    mergeMethod: /^\d+ of \d+ ranges had changed$/,
    async close() {
      delete process.env[VARIABLE];
      await fake.close();
    },
  };
}

/** A page of a large result: what the engine asks of small ones stays whole. */
const isLater = (url: URL): boolean => url.searchParams.has("pageToken");

const onText =
  (change: (text: string) => string): Spoil =>
  (answer) => ({ ...(answer as Answer), body: change(answer.body as string) });

const refuse =
  (status: number, reason: string): Spoil =>
  () => ({ status, body: { error: { message: `Google says ${reason}`, errors: [{ reason, message: "" }] } } });

const FAULTS: Record<string, Spoil> = {
  closes: (answer) => ({ ...answer, cutAt: 10_000 }),
  stalls: () => "stall",
  expires_tokens: refuse(401, "authError"),
  has_no_quota_left: refuse(403, "quotaExceeded"),
  loses_a_row: onText((text) => text.replace(/\{"f":\[[^\]]*\]\},/, "")),
  loses_the_end: onText((text) => text.slice(0, -1_000)),
  loses_the_next_page: onText((text) => text.replace(/"pageToken":"[^"]*",/, "")),
  repeats_a_page: (answer, url) =>
    onText((text) => text.replace(/"pageToken":"[^"]*"/, `"pageToken":"${url.searchParams.get("pageToken")}"`))(
      answer,
      url,
    ),
  errs_in_a_success: () => ({
    status: 200,
    body: { error: { message: "gone", errors: [{ reason: "gone", message: "" }] } },
  }),
};

const TYPES: Record<SuiteType, string> = {
  bigint: "INT64",
  text: "STRING",
  decimal: "NUMERIC(18, 4)",
  double: "FLOAT64",
  timestamp: "DATETIME",
  date: "DATE",
};

const literal = (_: SuiteType, text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

const same = (type: string, value: string): [string, string] => [`${type} '${value}'`, value];

const VALUES: ValueCase[] = [
  {
    declared: "INT64",
    kind: "bigint",
    lake: "int64",
    values: [
      ["-9223372036854775808", "-9223372036854775808"],
      ["9223372036854775807", "9223372036854775807"],
    ],
  },
  {
    declared: "FLOAT64",
    kind: "float",
    lake: "float64",
    values: [
      ["-1.7976931348623157e308", "-1.7976931348623157e+308"],
      ["CAST('-0.0' AS FLOAT64)", "-0", "-0.0"],
      ["CAST('NaN' AS FLOAT64)", "NaN", "nan"],
      ["CAST('-inf' AS FLOAT64)", "-Infinity", "-inf"],
    ],
  },
  {
    declared: "NUMERIC",
    kind: "decimal",
    lake: "decimal(38,9)",
    values: [
      ["CAST('-99999999999999999999999999999.999999999' AS NUMERIC)", "-99999999999999999999999999999.999999999"],
      ["CAST('1.5' AS NUMERIC)", "1.5", "1.500000000"],
    ],
  },
  {
    declared: "NUMERIC(10, 2)",
    kind: "decimal",
    lake: "decimal(10,2)",
    values: [["-12345678.9", "-12345678.9", "-12345678.90"]],
  },
  {
    declared: "BIGNUMERIC",
    kind: "decimal",
    lake: "varchar",
    values: [same("BIGNUMERIC", "-578960446186580977117854925043439539266.34992332820282019728792003956564819968")],
  },
  {
    declared: "BOOL",
    kind: "boolean",
    lake: "boolean",
    values: [
      ["TRUE", "true"],
      ["FALSE", "false"],
    ],
  },
  {
    declared: "STRING",
    kind: "text",
    lake: "varchar",
    values: [
      ["''", ""],
      [`'𝕊 "quoted",\\n ü'`, '𝕊 "quoted",\n ü'],
    ],
  },
  { declared: "BYTES", kind: "binary", lake: "blob", values: [["b'\\x00\\xff'", "AP8=", "\\x00\\xFF"]] },
  { declared: "DATE", kind: "date", lake: "date", values: [same("DATE", "0001-01-01"), same("DATE", "9999-12-31")] },
  { declared: "TIME", kind: "time", lake: "time", values: [same("TIME", "23:59:59.999999"), same("TIME", "00:00:00")] },
  {
    declared: "DATETIME",
    kind: "timestamp",
    lake: "timestamp",
    values: [
      ["DATETIME '0001-01-01 00:00:00'", "0001-01-01T00:00:00", "0001-01-01 00:00:00"],
      ["DATETIME '9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"],
    ],
  },
  {
    declared: "TIMESTAMP",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [
      ["TIMESTAMP '0001-01-01 00:00:00+00'", "0001-01-01T00:00:00Z", "0001-01-01 00:00:00+00"],
      ["TIMESTAMP '1969-12-31 23:59:59.999999+00'", "1969-12-31T23:59:59.999999Z", "1969-12-31 23:59:59.999999+00"],
    ],
  },
  {
    declared: "JSON",
    kind: "json",
    lake: "json",
    values: [["JSON '{\"a\":12345678901234567890}'", '{"a":12345678901234567890}']],
  },
  { declared: "GEOGRAPHY", kind: "text", lake: "varchar", values: [same("GEOGRAPHY", "POINT(1 2)")] },
];
