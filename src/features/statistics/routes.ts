// /v4/admin/statistics: what happens on the platform, for its operators.

import { z } from "@hono/zod-openapi";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import { enveloped } from "../../http/answer.ts";
import { metaOf } from "../../http/meta.ts";
import { integerParameter, requiredListParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getEventStatistics } from "./get.ts";
import { listEventStatistics } from "./list.ts";
import { EventStatistics, EventTypeName } from "./statistics.ts";

export const statistics = createRouter(["Statistics"]);

const TeamId = z.string().min(1).max(EVENT_LIMITS.statisticsTeamIdCharactersMax);
const window = {
  bucketMinutes: integerParameter({ min: 1, max: 60, default: 10 }),
  windowHours: integerParameter({ min: 1, max: 168, default: 24 }),
};
const BUCKETS =
  "Every bucket of the window is there, an empty one too; buckets begin at whole multiples of their length in UTC, " +
  "and the last one, which comes on top of the window, has the present in it. Requests, statements and uploads show up to a minute late.";

statistics.rawOperation("listEventStatistics", "GET /", {
  permission: "platform:operate",
  summary: "Get durations of several kinds of event, for several teams",
  description: `One series for each kind and team, streamed; a team that nobody knows has an empty one. ${BUCKETS}`,
  query: z.strictObject({
    types: requiredListParameter(EventTypeName, { max: 8 }),
    teamIds: requiredListParameter(TeamId, { max: 50 }),
    ...window,
  }),
  responses: { 200: enveloped("The series, by kind and team as asked", EventStatistics).document },
  respond: async (ctx, { query }) => answer(await listEventStatistics(ctx, query, () => metaOf(ctx))),
});

statistics.rawOperation("getEventStatistics", "GET /{type}", {
  permission: "platform:operate",
  summary: "Get durations of one kind of event, by team",
  description:
    "Of one team, or without `teamId` of every team that has such events in the window, by id; as many as make " +
    `${EVENT_LIMITS.statisticsBucketsMax} buckets, and \`truncated\` says whether there are more. ${BUCKETS}`,
  params: z.object({ type: EventTypeName }),
  query: z.strictObject({ teamId: TeamId.optional(), ...window }),
  responses: { 200: enveloped("A series for each team", EventStatistics).document },
  respond: async (ctx, { params, query }) =>
    answer(await getEventStatistics(ctx, params.type, query, () => metaOf(ctx))),
});

/** Written as it streams, and held to its declared form by tests. */
const answer = (body: ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "Content-Type": "application/json" } });
