// ClickBench's table of page views, made up by DuckDB in its shape: 105 columns, rows in the order of days, most texts
// empty, a few values that most rows have.

import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { quoteLiteral } from "../../../../containers/engine/duckdb/quoting.ts";
import type { Suite } from "../tpc/suite.ts";
import { QUERIES } from "./queries.ts";

const ROWS_OF_SCALE_1 = 1_000_000;

/** A number from 0 to `below`, by the row and `salt` alone: few are frequent, as squares crowd near 0. */
const skewed = (salt: number, below: number): string =>
  `CAST(floor(power((hash(i, ${salt}) % 1000003) / 1000003.0, 4) * ${below}) AS BIGINT)`;
const even = (salt: number, below: number): string => `CAST(hash(i, ${salt}) % ${below} AS BIGINT)`;
/** `expression` in one of `of` rows, else `other`. */
const rarely = (salt: number, of: number, expression: string, other: string): string =>
  `CASE WHEN hash(i, ${salt}) % ${of} = 0 THEN ${expression} ELSE ${other} END`;

const typed = (type: string, names: string): [string, string][] =>
  names.split(/\s+/).map((name) => [name, type] as [string, string]);

/** Columns that no query looks at closely hold small numbers, large ones, or nothing. */
const PLAIN = new Map([
  ...typed(
    "SMALLINT",
    `JavaEnable GoodEvent CounterClass UserAgent RefererCategoryID URLCategoryID ResolutionHeight ResolutionDepth
    FlashMajor FlashMinor NetMajor NetMinor UserAgentMajor CookieEnable JavascriptEnable IsMobile IsArtifical
    WindowClientWidth WindowClientHeight ClientTimeZone SilverlightVersion1 SilverlightVersion2 SilverlightVersion4
    IsNotBounce IsOldCounter IsEvent IsParameter WithHash Age Sex Income Interests Robotness HistoryLength HTTPError
    SocialSourceNetworkID ParamCurrencyID HasGCLID`,
  ),
  ...typed(
    "INTEGER",
    `RefererRegionID URLRegionID IPNetworkID SilverlightVersion3 CodeVersion HID RemoteIP WindowName OpenerName
    SendTiming DNSTiming ConnectTiming ResponseStartTiming ResponseEndTiming FetchTiming CLID`,
  ),
  ...typed("BIGINT", "FUniqID ParamPrice"),
  ...typed(
    "VARCHAR",
    `FlashMinor2 UserAgentMinor Params PageCharset OriginalURL HitColor BrowserLanguage BrowserCountry SocialNetwork
    SocialAction SocialSourcePage ParamOrderID ParamCurrency OpenstatServiceName OpenstatCampaignID OpenstatAdID
    OpenstatSourceID UTMSource UTMMedium UTMCampaign UTMContent UTMTerm FromTag`,
  ),
]);
const RANGES: Record<string, number> = { SMALLINT: 20, INTEGER: 1_000_000, BIGINT: 1_000_000_000_000 };

const DAY = "DATE '2013-07-01' + CAST(i * 31 // n AS INTEGER)";
const MOMENT = `(${DAY})::TIMESTAMP + to_seconds(${even(2, 86_400)})`;
const HOST = `'http://' || ${skewed(20, 900)} || '.example/'`;
const PAGE = `${HOST} || 'page/' || ${skewed(21, 50_000)}`;

/** The columns that the queries read, with the values that they look for. */
const READ: Record<string, string> = {
  WatchID: "CAST(hash(i, 1) // 2 AS BIGINT)",
  Title: rarely(30, 300, "'Google ' || " + skewed(31, 900), `'Title ' || ${skewed(32, 20_000)}`),
  EventTime: MOMENT,
  EventDate: DAY,
  CounterID: `CASE WHEN hash(i, 3) % 8 = 0 THEN 62 ELSE ${skewed(4, 7_000)} END::INTEGER`,
  ClientIP: `CAST(${skewed(5, 400_000)} AS INTEGER)`,
  RegionID: `CAST(${skewed(6, 5_000)} AS INTEGER)`,
  UserID: `CASE WHEN hash(i, 7) % 200000 = 0 THEN 435090932899640449 ELSE ${skewed(8, 200_000)} * 7919 END`,
  OS: `CAST(${skewed(9, 90)} AS SMALLINT)`,
  URL: rarely(22, 500, `${HOST} || 'google/' || ${skewed(23, 300)}`, PAGE),
  Referer: rarely(24, 3, "''", PAGE),
  IsRefresh: `CAST(${rarely(10, 8, "1", "0")} AS SMALLINT)`,
  ResolutionWidth: `CAST(${skewed(11, 2_000)} AS SMALLINT)`,
  MobilePhone: `CAST(${rarely(12, 20, skewed(13, 80), "0")} AS SMALLINT)`,
  MobilePhoneModel: rarely(12, 20, `'Model ' || ${skewed(14, 150)}`, "''"),
  TraficSourceID: `CAST(${even(15, 12)} - 2 AS SMALLINT)`,
  SearchEngineID: `CAST(${rarely(16, 5, skewed(17, 90), "0")} AS SMALLINT)`,
  SearchPhrase: rarely(16, 5, `'phrase ' || ${skewed(18, 60_000)}`, "''"),
  AdvEngineID: `CAST(${rarely(19, 150, skewed(25, 60), "0")} AS SMALLINT)`,
  ClientEventTime: MOMENT,
  IsLink: `CAST(${rarely(26, 9, "1", "0")} AS SMALLINT)`,
  IsDownload: `CAST(${rarely(27, 400, "1", "0")} AS SMALLINT)`,
  DontCountHits: `CAST(${rarely(28, 10, "1", "0")} AS SMALLINT)`,
  LocalEventTime: MOMENT,
  RefererHash: `CASE WHEN hash(i, 33) % 500 = 0 THEN 3594120000172545465 ELSE ${skewed(34, 90_000)} END`,
  URLHash: `CASE WHEN hash(i, 35) % 500 = 0 THEN 2868770270353813622 ELSE ${skewed(36, 90_000)} END`,
};

function plainColumn([name, type]: [string, string], at: number): string {
  const salt = 100 + at;
  const value =
    type === "VARCHAR"
      ? rarely(salt, 25, `'${name} ' || ${skewed(salt + 200, 500)}`, "''")
      : `CAST(${skewed(salt, RANGES[type]!)} AS ${type})`;
  return `${value} AS ${name}`;
}

export const CLICKBENCH = {
  name: "ClickBench",
  // The queries name their table without a schema.
  schema: "main",
  aim: 1.2,
  tables: ["hits"],
  tied: new Set(["Q17", "Q18", "Q23", "Q24", "Q31", "Q32"]),

  async generate(folder, scale) {
    const columns = [
      ...Object.entries(READ).map(([name, value]) => `${value} AS ${name}`),
      ...[...PLAIN].map(plainColumn),
    ];
    const rows = Math.round(ROWS_OF_SCALE_1 * scale);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      await connection.run(
        `COPY (SELECT ${columns.join(", ")} FROM (SELECT i, ${rows} AS n FROM range(${rows}) r(i)))
        TO ${quoteLiteral(join(folder, "hits.parquet"))} (FORMAT parquet)`,
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    return QUERIES;
  },
} as const satisfies Suite;
