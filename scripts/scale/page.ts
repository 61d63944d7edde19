// The parts of the page that are computed, each between two comments that name it.

import { ENGINE_COUNTS } from "../../kernel/wire/engine-program.ts";
import { ALERT_LIMITS } from "../../src/features/alerts/limits.ts";
import { costOfPart, billOf, PARTS, type Part } from "./bill.ts";
import { LIMITS, OPERATIONS_PER_MESSAGE } from "./cloudflare.ts";
import { ALERT_PAGE, COLLECTION, METER, STATEMENT, TICK, type Count } from "./counts.ts";
import { LAKE_REACHED, PETABYTE, petabyte } from "./lake.ts";
import { FILES, MEASURED, MEMORY, TABLES } from "./measured.ts";
import { PUBLISHED } from "./published.ts";
import { d1PerSecond, REACHED } from "./reached.ts";
import { loadOf, ONE_TEAM } from "./statements.ts";
import { about, dollars, exact, shown, tableOf } from "./table.ts";
import { CONTAINERS, TEAM } from "./team.ts";
import {
  AWAKE_HOURS,
  d1BytesOfTeam,
  DOC_RUN_HAPPENINGS,
  monthOf,
  statementsOf,
  sumOfParts,
  SYNC_RUN_HAPPENINGS,
  type Happening,
} from "./use.ts";

export const PAGE = "docs/operating/scale.md";

const SIZES = [10, 1_000, 100_000] as const;
const LOAD = { perSecond: 10_000, teams: 1_000 } as const;

/** The page's text with its computed parts as they are now. Throws where a part has no place, or a place no part. */
export function renderPage(text: string): string {
  const placed: string[] = [];
  const rendered = text.replaceAll(
    /(<!-- computed: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      placed.push(name);
      const part = BLOCKS[name as keyof typeof BLOCKS];
      if (!part) throw new Error(`Nothing is computed under the name ${name}.`);
      return `${begin}\n${part()}\n\n${end}`;
    },
  );
  const missing = Object.keys(BLOCKS).filter((name) => !placed.includes(name));
  if (missing.length > 0) throw new Error(`The page has no place for ${missing.join(", ")}.`);
  return rendered;
}

const BLOCKS = {
  team: () =>
    tableOf(
      ["An ordinary team", "has"],
      [
        [
          "statements a workday; at its busiest times the average",
          `${shown(TEAM.statementsPerWorkday)}; ${TEAM.peakFactor}`,
        ],
        ["keys that ask; seconds of CPU of its engine for a statement", `${TEAM.keys}; ${TEAM.statementCpuSeconds}`],
        [
          "statements that read what the engine has not cached, of how many files",
          `${TEAM.coldShare * 100} %, ${TEAM.filesPerColdStatement}`,
        ],
        [
          "syncs every hour and every day, tables with changes in each",
          `${TEAM.hourlySyncs} and ${TEAM.dailySyncs}, ${TEAM.tablesChanged}`,
        ],
        ["runs of docs a day, of datasets", `${TEAM.docRunsPerDay}, ${TEAM.datasets}`],
        ["audit events of its people a workday", String(TEAM.auditEventsPerWorkday)],
        [
          "lake: GB, files, columns of a table; drive: GB, files",
          `${TEAM.lakeGb}, ${shown(TEAM.lakeFiles)}, ${TEAM.lakeColumns}; ${TEAM.driveGb}, ${shown(TEAM.driveObjects)}`,
        ],
        [
          "hours a month that its engine and its sandbox are awake",
          `${shown(AWAKE_HOURS.engine)} and ${shown(AWAKE_HOURS.sandbox)}`,
        ],
      ],
    ),

  counts: () =>
    tableOf(
      ["", "D1 statements", "rows read", "rows written", "object calls", "messages"],
      [
        countRow("a statement on the lake by a key that is known", [[STATEMENT.again, 1]]),
        countRow("the same by a key that is not", [[STATEMENT.newKey, 1]]),
        countRow(
          `a sync's run of ${TEAM.syncSeconds} s with ${TEAM.tablesChanged} changed tables`,
          SYNC_RUN_HAPPENINGS,
        ),
        countRow(`a doc's run of ${TEAM.docRunSeconds} s with ${TEAM.datasets} datasets`, DOC_RUN_HAPPENINGS),
        countRow("half a minute of a team that asks, passed on by its meter", [[METER.sameMinute, 1]]),
        countRow("a lake's daily round, each 1,000 objects", [[COLLECTION, 1]]),
        countRow("a minute's tick with nothing due", [[TICK.idle, 1]]),
        countRow(`alerts of ${ALERT_LIMITS.alertTeamsPerPageMax} teams, each tick`, [[ALERT_PAGE, 1]]),
      ],
    ),

  months: () => {
    const months = SIZES.map((teams) => monthOf(teams));
    const row = (name: string, of: (month: (typeof months)[number], teams: number) => string) => [
      name,
      ...months.map((month, at) => of(month, SIZES[at]!)),
    ];
    return tableOf(
      ["A month of", ...SIZES.map((teams) => `${exact(teams)} teams`)],
      [
        row("requests to the Worker", ({ requests }) => shown(requests)),
        row("rows that D1 reads", ({ d1RowsRead }) => shown(d1RowsRead)),
        row("rows that D1 writes", ({ d1RowsWritten }) => shown(d1RowsWritten)),
        row("GB in D1", ({ d1Gb }) => shown(d1Gb)),
        row("D1 statements a second, at the busiest", (_, teams) => shown(d1PerSecond(teams))),
        row("calls of Durable Objects", ({ objectRequests }) => shown(objectRequests)),
        row("GB in Durable Objects", ({ objectGb }) => shown(objectGb)),
        row("messages of queues", ({ queueOperations }) => shown(queueOperations / OPERATIONS_PER_MESSAGE)),
        row("class A and B operations of R2", ({ classA, classB }) => `${shown(classA)}, ${shown(classB)}`),
        row("TB in R2", ({ bucketGb }) => shown(bucketGb / 1_000)),
        row("hours of containers", (_, teams) => shown(teams * (AWAKE_HOURS.engine + AWAKE_HOURS.sandbox))),
        ...(Object.keys(PARTS) as Part[]).map((part) =>
          row(`bill: ${part}`, (month) => dollars(costOfPart(part, month))),
        ),
        row("**bill**", (month) => `**${dollars(billOf(month))}**`),
        row("**for each team**", (month, teams) => `**${dollars(billOf(month) / teams)}**`),
      ],
    );
  },

  "d1-of-a-team": () => {
    const bytes = d1BytesOfTeam();
    const parts = {
      "runs of syncs and docs": bytes.runs,
      statistics: bytes.statistics,
      "audit events": bytes.audit,
      definitions: bytes.definitions,
    };
    return tableOf(
      ["In D1, of an ordinary team", "MB"],
      [...Object.entries(parts), ["together", sumOfParts(bytes)] as const].map(([name, value]) => [
        name,
        shown(value / 1e6),
      ]),
    );
  },

  reached: () =>
    tableOf(
      ["Limit", "is whose", "is reached with teams", "and then", "What answers it"],
      REACHED.map(({ limit, kind, teams, then, answer }) => [limit, WHOSE[kind], about(teams), then, answer]),
    ),

  passed: () =>
    tableOf(
      ["With", "these limits are passed, and so many times"],
      SIZES.map((teams) => {
        const passed = REACHED.filter((each) => each.teams < teams).map(
          ({ limit, teams: reachedWith }) => `${limit} (${shown(teams / reachedWith)})`,
        );
        return [`${exact(teams)} teams`, passed.join("; ") || "none"];
      }),
    ),

  load: () => {
    const load = loadOf(LOAD);
    const { requests, objectRequests, d1RowsRead } = load.hour;
    return tableOf(
      [`${shown(LOAD.perSecond)} statements a second of ${shown(LOAD.teams)} teams`, "take", "limit"],
      [
        ["isolates of the Worker", shown(load.isolates), ""],
        [
          "look-ups of keys: D1 statements a second",
          shown(load.d1PerSecond),
          `**${exact(LIMITS.d1PerSecond.value)}** a database`,
        ],
        ["calls a second of one team's catalog", shown(load.catalogPerSecond), exact(LIMITS.objectPerSecond.value)],
        ["reports a second to one team's meter", shown(load.meterPerSecond), exact(LIMITS.objectPerSecond.value)],
        ["vCPUs that work", shown(load.cpus), exact(LIMITS.containersCpus.value)],
        [
          `engines (${CONTAINERS.instanceType}), one a team: GiB`,
          shown(load.enginesGib),
          exact(LIMITS.containersGib.value),
        ],
        [
          "an hour: requests, object calls, rows of D1",
          [requests, objectRequests, d1RowsRead].map(shown).join(", "),
          "",
        ],
        ["an hour's bill", dollars(load.hourUsd), ""],
      ],
    );
  },

  "one-team": () =>
    tableOf(
      ["Statements a second of one team", "at most"],
      [
        [`by the CPU of its engine (${CONTAINERS.instanceType})`, about(ONE_TEAM.engineCpu)],
        ["by the CPU of the largest engine (standard-4)", about(ONE_TEAM.largestEngineCpu)],
        [`by ${ENGINE_COUNTS.at(-1)} of those, for what only reads`, about(ONE_TEAM.mostEnginesCpu)],
        ["by its engine's object, and by its lake's catalog", about(Math.min(ONE_TEAM.engineObject, ONE_TEAM.catalog))],
      ],
    ),

  lake: () =>
    tableOf(
      ["Limit", "is reached with files", "of", "and then"],
      LAKE_REACHED.map(({ limit, files, of, then }) => [limit, about(files), of, then]),
    ),

  simulation: () =>
    tableOf(
      [
        `With ${shown(FILES)} files`,
        ...["in one table", `in ${shown(TABLES)} tables`].map((where) => `${where}: CPU ms; rows read, written`),
      ],
      Object.entries(MEASURED).map(([call, { oneTable, thousandTables }]) => [
        call,
        ...[oneTable, thousandTables].map(
          ([cpuMs, read, written]) => `${shown(cpuMs)}; ${shown(read)}, ${shown(written)}`,
        ),
      ]),
    ),

  memory: () =>
    tableOf(
      ["Call about a table", "of files", "memory + MB"],
      Object.values(MEMORY).map(({ call, files, mb }) => [call, shown(files), shown(mb)]),
    ),

  petabyte: () => {
    const lake = petabyte();
    return tableOf(
      [
        `${shown(PETABYTE.files)} files of ${shown((PETABYTE.gb * 1_000) / PETABYTE.files)} MB, tables of ${PETABYTE.columns} columns`,
        "",
        "a month",
      ],
      [
        ["R2: 1 PB", shown(PETABYTE.gb) + " GB", dollars(lake.storageUsd)],
        ["its catalog: GB, in shards", `${shown(lake.catalogGb)}, ${lake.shards}`, dollars(lake.catalogUsd)],
        [
          "daily round: lists, messages a day",
          `${shown(lake.listsPerDay)}, ${shown(lake.messagesPerDay)}`,
          dollars(lake.listsUsd),
        ],
        ["to write it, once: files", shown(lake.puts), `once ${dollars(lake.putsUsd)}`],
        [
          "to commit it, once: commits, rows",
          `${shown(lake.commits)}, ${shown(lake.rowsWritten)}`,
          `once ${dollars(lake.rowsUsd)}`,
        ],
      ],
    );
  },

  ...PUBLISHED,
} as const satisfies Record<string, () => string>;

const WHOSE = { setting: "a setting", Cloudflare: "Cloudflare's", bound: "the platform's own" } as const;

function countRow(name: string, happenings: readonly Happening[]): string[] {
  const sum = (of: (count: Count) => number): string =>
    shown(happenings.reduce((total, [count, often]) => total + of(count) * often, 0));
  const calls = ({ calls: of }: Count): number => Object.values(of).reduce((total, number) => total + number, 0);
  return [
    name,
    shown(statementsOf(happenings)),
    sum(({ rowsRead }) => rowsRead),
    sum(({ rowsWritten }) => rowsWritten),
    sum(calls),
    sum(({ messages }) => messages),
  ];
}
