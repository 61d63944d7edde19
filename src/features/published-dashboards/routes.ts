// /v4/published-dashboards: what is published. What its readers call is in `call/routes.ts`.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { integerParameter, pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";
import { PublicationSecret, PublicationSecretRotation, setPublicationSecret } from "../publications/secret/set.ts";
import { getPublicationStatistics, PublicationStatistics } from "../publications/statistics/get.ts";
import { createPublishedDashboard } from "./create.ts";
import { deletePublishedDashboard } from "./delete.ts";
import { getPublishedDashboard } from "./get.ts";
import { listPublishedDashboards } from "./list.ts";
import { PublishedDashboardIdPath } from "./params.ts";
import { NewPublishedDashboard, PublishedDashboard, PublishedDashboardPatch } from "./published-dashboard.ts";
import { updatePublishedDashboard } from "./update.ts";

export const publishedDashboards = createRouter(["Published dashboards", "Extensions"]);

publishedDashboards.operation("createPublishedDashboard", "POST /", {
  permission: "endpoints:manage",
  audit: "published_dashboard.create",
  summary: "Publish a dashboard",
  description:
    "A doc of kind dashboard, at one version, under a data-access role that binds every reader. Its publisher is an " +
    "admin, and reads what the role grants for as long as it answers. Readers need a token that its secret has signed.",
  body: NewPublishedDashboard,
  answer: enveloped("The published dashboard", PublishedDashboard, 201),
  fails: ["resource_not_found", "resource_conflict"],
  run: (ctx, { body }) => createPublishedDashboard(ctx, body),
});

publishedDashboards.operation("listPublishedDashboards", "GET /", {
  permission: "endpoints:manage",
  summary: "List the team's published dashboards",
  description: "By name.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of published dashboards", pageOf("PublishedDashboardPage", PublishedDashboard)),
  run: (ctx, { query }) => listPublishedDashboards(ctx, query),
});

publishedDashboards.operation("getPublishedDashboard", "GET /{published_dashboard_id}", {
  permission: "endpoints:manage",
  summary: "Get a published dashboard",
  description: "Without its secret.",
  params: PublishedDashboardIdPath,
  answer: enveloped("The published dashboard", PublishedDashboard),
  run: (ctx, { params }) => getPublishedDashboard(ctx, params.published_dashboard_id),
});

publishedDashboards.operation("updatePublishedDashboard", "PATCH /{published_dashboard_id}", {
  permission: "endpoints:manage",
  audit: "published_dashboard.update",
  summary: "Change a published dashboard",
  description:
    "What is sent changes at once, for every reader, and who changes it publishes it from then on. With `doc_version` " +
    "or `doc_id` another version or doc is published; without `doc_version` the newest.",
  params: PublishedDashboardIdPath,
  body: PublishedDashboardPatch,
  answer: enveloped("The published dashboard", PublishedDashboard),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updatePublishedDashboard(ctx, params.published_dashboard_id, body),
});

publishedDashboards.operation("deletePublishedDashboard", "DELETE /{published_dashboard_id}", {
  permission: "endpoints:manage",
  audit: "published_dashboard.delete",
  summary: "Take a published dashboard back",
  description: "With its figures. It answers nobody from then on; the doc stays as it is.",
  params: PublishedDashboardIdPath,
  answer: nothing("Deleted"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deletePublishedDashboard(ctx, params.published_dashboard_id),
});

publishedDashboards.operation("setPublishedDashboardSecret", "POST /{published_dashboard_id}/secret", {
  permission: "endpoints:manage",
  audit: "published_dashboard_secret.set",
  summary: "Make the secret that signs a published dashboard's tokens anew",
  description:
    "Tokens are JSON Web Tokens signed with HS256: `sub` is the published dashboard's id, `aud` its audience, `exp` at " +
    `most ${PUBLICATION_LIMITS.tokenSecondsMax / 3_600} hours ahead, \`parameters\` the values that its holder can't ` +
    "send. The secret is shown this once.",
  params: PublishedDashboardIdPath,
  optionalBody: PublicationSecretRotation,
  answer: enveloped("The secret", PublicationSecret),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) =>
    setPublicationSecret(
      ctx,
      { kind: "dashboard", id: params.published_dashboard_id, action: "published_dashboard_secret.set" },
      body,
    ),
});

publishedDashboards.operation("getPublishedDashboardStatistics", "GET /{published_dashboard_id}/statistics", {
  permission: "endpoints:manage",
  summary: "Get how often a published dashboard was read, and how long it took",
  description: `Of the last hours, ${PUBLICATION_LIMITS.statisticsHoursMax} at most: calls for what it draws, and for each dataset. About a second late; percentiles are off by 5 % at most.`,
  params: PublishedDashboardIdPath,
  query: z.strictObject({
    hours: integerParameter({ min: 1, max: PUBLICATION_LIMITS.statisticsHoursMax, default: 24 }),
  }),
  answer: enveloped("The figures", PublicationStatistics),
  run: (ctx, { params, query }) =>
    getPublicationStatistics(ctx, "dashboard", params.published_dashboard_id, query.hours),
});
