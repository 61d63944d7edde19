// Who writes a table of the database: one feature owns it. Others may read it, and ask its owner to write.

import { expect, it } from "vitest";
import { codeOf, textOf, WORKER_FILES } from "../support/node/tidy/source-tree.ts";

/** Each table's owner, a folder or a file of `src/`. */
const OWNERS: Record<string, string> = {
  accessMembers: "features/data-access/",
  accessRoles: "features/data-access/",
  agentAuthorizations: "features/teams/",
  alertDeliveries: "features/alerts/",
  alertEpisodes: "features/alerts/",
  alertWebhooks: "features/alerts/",
  apiKeys: "features/teams/",
  asyncQueries: "features/query/",
  attempts: "features/work-model/",
  auditEvents: "features/audit/",
  automationJobs: "features/automations/",
  automationRuns: "features/automations/",
  clusterUses: "features/quotas/",
  deadLetters: "features/operations/",
  deliveries: "features/deliveries/",
  destinations: "features/destinations/",
  docAutomations: "features/automations/",
  docRuns: "features/docs/",
  docVersions: "features/docs/",
  docs: "features/docs/",
  driveLongPaths: "features/drive/",
  driveMeasures: "features/drive/",
  driveTemporaryFiles: "features/drive/",
  driveUploads: "features/drive/",
  endpointKeys: "features/endpoints/",
  eventRollups: "features/statistics/",
  executions: "features/docs/",
  idempotencyKeys: "features/docs/",
  glossaryTerms: "features/glossary/",
  glossaryTermVersions: "features/glossary/",
  identities: "features/teams/",
  identityProviders: "features/teams/",
  integrations: "features/integrations/",
  keyUses: "platform/meter/",
  kvStores: "features/kv-stores/",
  lakeCollections: "features/lakes/",
  lakeKeys: "features/iceberg/",
  lakeRemovals: "features/lakes/",
  lakeSummaries: "features/lakes/",
  linkedFiles: "features/linked-files/",
  magicLinks: "features/teams/",
  mailAddresses: "features/mail/",
  mailAsks: "features/mail/",
  mailDays: "features/mail/",
  mailUnsubscriptions: "features/mail/",
  meterBatches: "platform/meter/",
  monthUses: "platform/db/count-events.ts",
  messageRequests: "features/messages/",
  messageAttempts: "features/messages/",
  outgoingMessages: "features/messages/",
  passkeys: "features/teams/",
  platformTicks: "features/operations/",
  publicationRollups: "features/publications/",
  publications: "features/publications/",
  savedQueries: "features/saved-queries/",
  savedQueryVersions: "features/saved-queries/",
  secrets: "features/secrets/",
  semanticDefinitions: "features/semantic/",
  semanticModelFiles: "features/semantic/",
  semanticModelVersions: "features/semantic/",
  sessions: "features/teams/",
  signInTries: "features/teams/",
  spentChallenges: "features/teams/",
  syncRuns: "features/syncs/",
  syncs: "features/syncs/",
  tableBuilds: "features/docs/",
  teamDomains: "features/teams/",
  teamRemovals: "features/teams/",
  teamSettings: "features/teams/",
  teams: "features/teams/",
  userAttributes: "features/data-access/",
  users: "features/teams/",
};

/** Files that write to tables which another owns, each with its reason. */
const OTHERS: Record<string, { tables: readonly string[] | "every"; reason: string }> = {
  "platform/db/audit.ts": { tables: ["auditEvents"], reason: "an event is written in the batch of what it is about" },
  "platform/db/record-outbound-event.ts": {
    tables: ["outgoingMessages"],
    reason: "an event is written in the batch of what it reports",
  },
  "platform/db/count-events.ts": { tables: ["eventRollups"], reason: "a rollup grows in the batch of what it counts" },
  "features/teams/removal/store.ts": { tables: "every", reason: "a team takes all its rows along" },
};

/** Each table's name in code and in SQL. */
const TABLES = new Map(
  WORKER_FILES.filter((file) => file.startsWith("src/platform/db/schema/")).flatMap((file) =>
    [...textOf(file).matchAll(/export const (\w+) = sqliteTable\(\s*"(\w+)"/g)].map(([, name, sql]) => [name!, sql!]),
  ),
);

/** A write by the query builder, by a function that claims, deletes or re-seals a given table's rows, or by SQL. */
const WRITE =
  /\.(?:insert|update|delete)\(\s*(\w+)\s*\)|(?:claimDueRows\(\w+, \{ table: |sealedRowsOf\(\w+, |deleteSome\(\s*\w+,\s*)(\w+)|\b(?:insert (?:or \w+ )?into|update|delete from) (\w+)/gi;

/** The tables that each file of the Worker writes to. */
const WRITTEN = new Map(
  WORKER_FILES.map((path) => {
    const words = [...codeOf(path).matchAll(WRITE)].map(([, built, given, sql]) => built ?? given ?? sql!);
    const tables = [...TABLES].filter(([name, sql]) => words.includes(name) || words.includes(sql));
    return [path.replace(/^src\//, ""), tables.map(([name]) => name)] as const;
  }),
);

it("names an owner of every table, and of no other", () => {
  expect([...TABLES.keys()].sort()).toEqual(Object.keys(OWNERS).sort());
});

it("lets nobody but its owner write to a table", () => {
  const foreign = [...WRITTEN].flatMap(([file, tables]) => {
    const allowed = OTHERS[file]?.tables ?? [];
    return tables
      .filter((table) => !file.startsWith(OWNERS[table] ?? "-") && allowed !== "every" && !allowed.includes(table))
      .map((table) => `${file} writes ${table}, which is of ${OWNERS[table]}`);
  });
  expect(foreign).toEqual([]);
});

it("finds that every table is written, and that those who write to another's still do", () => {
  const written = new Set([...WRITTEN.values()].flat());
  expect([...TABLES.keys()].filter((table) => !written.has(table))).toEqual([]);
  for (const [file, { tables }] of Object.entries(OTHERS))
    if (tables !== "every") expect([file, WRITTEN.get(file)]).toEqual([file, expect.arrayContaining([...tables])]);
});
