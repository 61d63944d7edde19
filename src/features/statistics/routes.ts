// /v4/admin/statistics: what happens on the platform, for its operators.

import { z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import { enveloped, fails } from "../../http/answer.ts";
import { metaOf } from "../../http/meta.ts";
import { operation } from "../../http/operation.ts";
import { integerParameter, requiredListParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getEventStatistics } from "./get.ts";
import { listEventStatistics } from "./list.ts";
import { EventStatistics, EventTypeName } from "./statistics.ts";

export const statistics = createRouter();

const TeamId = z.string().min(1).max(EVENT_LIMITS.statisticsTeamIdCharactersMax);
const window = {
  bucketMinutes: integerParameter({ min: 1, max: 60, default: 10 }),
  windowHours: integerParameter({ min: 1, max: 168, default: 24 }),
};
const BUCKETS =
  "Every bucket of the window is there, an empty one too; buckets begin at whole multiples of their length in UTC, " +
  "and the last one, which comes on top of the window, has the present in it. Requests, statements and uploads show up to a minute late.";

statistics.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listEventStatistics",
    summary: "Get durations of several kinds of event, for several teams",
    description: `One series for each kind and team, streamed; a team that nobody knows has an empty one. ${BUCKETS}`,
    tags: ["Statistics"],
    permission: "platform:operate",
    request: {
      query: z.strictObject({
        types: requiredListParameter(EventTypeName, { max: 8 }),
        teamIds: requiredListParameter(TeamId, { max: 50 }),
        ...window,
      }),
    },
    responses: { 200: enveloped("The series, by kind and team as asked", EventStatistics), ...fails() },
  }),
  async (c) => answer(await listEventStatistics(c.get("ctx"), c.req.valid("query"), () => metaOf(c))),
);

statistics.openapi(
  operation({
    method: "get",
    path: "/{type}",
    operationId: "getEventStatistics",
    summary: "Get durations of one kind of event, by team",
    description:
      "Of one team, or without `teamId` of every team that has such events in the window, by id; as many as make " +
      `${EVENT_LIMITS.statisticsBucketsMax} buckets, and \`truncated\` says whether there are more. ${BUCKETS}`,
    tags: ["Statistics"],
    permission: "platform:operate",
    request: {
      params: z.object({ type: EventTypeName }),
      query: z.strictObject({ teamId: TeamId.optional(), ...window }),
    },
    responses: { 200: enveloped("A series for each team", EventStatistics), ...fails() },
  }),
  async (c) => {
    const { type } = c.req.valid("param");
    return answer(await getEventStatistics(c.get("ctx"), type, c.req.valid("query"), () => metaOf(c)));
  },
);

/** Written as it streams, and held to its declared form by tests. */
const answer = (body: ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "Content-Type": "application/json" } }) as Response &
    TypedResponse<never, 200, "json">;
