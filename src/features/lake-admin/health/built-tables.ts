// A table that a doc builds is healthy by its tests, and by its age beside the age that its doc's schedule promises.

import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../../docs/limits.ts";
import { AUTOMATION_LIMITS } from "../../automations/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { TEST_SEVERITIES } from "../../../../kernel/wire/builds.ts";
import { BUILD_STATES } from "../../../platform/db/schema/build-schema.ts";
import { overdueByOf, type JobFacts } from "../../automations/overview/job-facts.ts";
import { listJobFacts } from "../../automations/overview/list-job-facts.ts";
import { findFailedTests } from "../../docs/builds/find-failed-tests.ts";
import { listBuilds, type ListedBuild } from "../../docs/builds/list-builds.ts";
import type { TeamLake } from "../../integrations/integration.ts";

const instant = z.iso.datetime();
const count = z.number().int();

export const BuiltTableHealth = z
  .object({
    schema: z.string(),
    name: z.string(),
    docId: z.uuid(),
    datasetKey: z.string(),
    state: z
      .enum(BUILD_STATES)
      .openapi({ description: "Of the last run that came to publish it: `tests_failed` left the table as it was." }),
    runId: z.uuid().openapi({ description: "That run." }),
    triedAt: instant,
    publishedAt: instant.nullable().openapi({ description: "When its rows were last published." }),
    ageSeconds: count.nullable().openapi({ description: "Since then." }),
    overdueSince: instant
      .nullable()
      .openapi({
        description:
          "By when a job of the doc should have published it again, where that is past: as a job's own staleness is " +
          "reckoned. Null as well where no enabled job with a schedule runs the dataset.",
      }),
    testsFailed: count.openapi({ description: "Tests of the severity `error` that failed in that run." }),
    testsWarned: count.openapi({ description: "Those of the severity `warn` that are known to have." }),
    failedTests: z
      .array(z.object({ name: z.string(), severity: z.enum(TEST_SEVERITIES) }))
      .openapi({ description: `Some of them: a run names ${DOC_LIMITS.failedTestsNamedMax}.` }),
  })
  .openapi("BuiltTableHealth");
export type BuiltTableHealth = z.infer<typeof BuiltTableHealth>;

/** The tables that live docs build in the lake, by schema and name. */
export async function findBuiltTables(
  { db }: Needs<"db">,
  { teamId, lakeId }: TeamLake,
  now: Date,
): Promise<BuiltTableHealth[]> {
  const builds = await listBuilds({ db, scope: { teamId } }, lakeId, { ofLiveDocs: true });
  if (builds.length === 0) return [];
  const docIds = [...new Set(builds.map(({ docId }) => docId))];
  const runs = [...new Set(builds.map(({ runId }) => runId))].map((runId) => ({ teamId, runId }));
  const [jobs, failedTests] = await Promise.all([
    listJobFacts(db, { teamIds: [teamId], docIds, rowsMax: AUTOMATION_LIMITS.jobsPerTeamMax }),
    findFailedTests(db, runs),
  ]);
  return builds.map((build): BuiltTableHealth => {
    const { schemaName: schema, tableName: name, docId, datasetKey, state, runId, triedAt, publishedAt } = build;
    const { testsFailed, testsWarned } = build;
    const failed = (failedTests.get(runId) ?? []).filter((test) => test.schema === schema && test.table === name);
    return {
      ...{ schema, name, docId, datasetKey, state, runId, triedAt, publishedAt, testsFailed, testsWarned },
      ageSeconds: publishedAt === null ? null : Math.floor((now.getTime() - Date.parse(publishedAt)) / 1000),
      overdueSince: overdueSinceOf(build, jobs, now)?.toISOString() ?? null,
      failedTests: failed.map((test) => ({ name: test.name, severity: test.severity })),
    };
  });
}

/** The earliest time by which one of its jobs should have published the table again. */
function overdueSinceOf({ docId, datasetKey, publishedAt }: ListedBuild, jobs: JobFacts[], now: Date): Date | null {
  const success = publishedAt === null ? null : { endedAt: publishedAt };
  const overdue = jobs
    .filter(({ job }) => job.resourceId === docId && (job.datasetKeys?.includes(datasetKey) ?? true))
    .flatMap(({ job, isRunning }) => overdueByOf({ job, isRunning, success }, now) ?? []);
  return overdue.reduce<Date | null>((first, each) => (first === null || each < first ? each : first), null);
}
