// The API's table of contents.

import { automationJobs } from "./features/automations/jobs/routes.ts";
import { automationLogs } from "./features/automations/logs/routes.ts";
import { automationRuns } from "./features/automations/runs/routes.ts";
import { declareAlertMessages } from "./features/alerts/messages.ts";
import { alerts } from "./features/alerts/routes.ts";
import { audit } from "./features/audit/routes.ts";
import { catalog } from "./features/catalog/routes.ts";
import { catalogSearch } from "./features/catalog/search/routes.ts";
import { apiReference } from "./features/api-reference/routes.ts";
import { consolePage } from "./features/console/routes.ts";
import { createCubeApi } from "./features/cube-api/routes.ts";
import { dataAccess } from "./features/data-access/routes.ts";
import { glossary } from "./features/glossary/routes.ts";
import { iceberg, refuseIcebergWrites } from "./features/iceberg/routes.ts";
import { declareDeliveryMessage, declareOutboundEvents } from "./features/destinations/declare-message.ts";
import { destinations } from "./features/destinations/routes.ts";
import { createDocRoutes } from "./features/docs/doc-routes.ts";
import { docs } from "./features/docs/routes.ts";
import { schemas } from "./features/docs/definition/schema-routes.ts";
import { executions } from "./features/docs/executions/routes.ts";
import { runsInternal } from "./features/docs/runs/internal-routes.ts";
import { docBuilds } from "./features/docs/builds/routes.ts";
import { docDatasets } from "./features/docs/datasets/routes.ts";
import { docRuns } from "./features/docs/runs/routes.ts";
import { createDeliveryChangeRoutes } from "./features/deliveries/change-routes.ts";
import { deliveries } from "./features/deliveries/routes.ts";
import { endpointCalls } from "./features/endpoints/call/routes.ts";
import { endpointKeys } from "./features/endpoints/keys/routes.ts";
import { endpoints } from "./features/endpoints/routes.ts";
import { trino, trinoInfo } from "./features/trino/routes.ts";
import { webhook } from "./features/docs/webhook/routes.ts";
import { driveInternal } from "./features/drive/internal-routes.ts";
import { drive } from "./features/drive/routes.ts";
import { driveUploads } from "./features/drive/multipart/routes.ts";
import { createIntegrationDeletion } from "./features/integrations/deletion/routes.ts";
import { integrations } from "./features/integrations/routes.ts";
import { mailAddresses } from "./features/mail/addresses/routes.ts";
import { MAIL_LINKS_PATH } from "./features/mail/links/links.ts";
import { mailLinks } from "./features/mail/links/routes.ts";
import { mailOutbox } from "./features/mail/outbox/routes.ts";
import { emailMessages } from "./features/messages/email/routes.ts";
import { messages } from "./features/messages/routes.ts";
import { knowledge } from "./features/knowledge/routes.ts";
import { maintenanceSync } from "./features/lake-admin/maintenance/sync-routes.ts";
import { lakeAdmin } from "./features/lake-admin/routes.ts";
import { teamMaintenance } from "./features/lake-admin/teams/routes.ts";
import { internal } from "./features/lakes/internal-routes.ts";
import { maintenanceInternal } from "./features/lakes/maintenance-routes.ts";
import { savedQueryVersions } from "./features/saved-queries/versions/routes.ts";
import { savedQueries } from "./features/saved-queries/routes.ts";
import { samples } from "./features/samples/routes.ts";
import { LINKED_FILE_PATH } from "./features/linked-files/linked-file.ts";
import { linkedFileContents, linkedFiles } from "./features/linked-files/routes.ts";
import { wakeInternal } from "./features/liveness/internal-routes.ts";
import { liveness } from "./features/liveness/routes.ts";
import { operations } from "./features/operations/routes.ts";
import { quotas } from "./features/quotas/routes.ts";
import { queriesInternal } from "./features/query/async/internal-routes.ts";
import { dashboardCalls } from "./features/published-dashboards/call/routes.ts";
import { publishedDashboards } from "./features/published-dashboards/routes.ts";
import { challengeAgents, createMcpRoutes } from "./features/mcp/routes.ts";
import { clusterStatementsInternal } from "./features/query/cluster/internal-routes.ts";
import { query } from "./features/query/routes.ts";
import { kvStores } from "./features/kv-stores/routes.ts";
import { secrets } from "./features/secrets/routes.ts";
import { semantic } from "./features/semantic/routes.ts";
import { semanticModels } from "./features/semantic/versions/routes.ts";
import { slack } from "./features/slack/routes.ts";
import { syncOverview } from "./features/syncs/overview/routes.ts";
import { syncs } from "./features/syncs/routes.ts";
import { statistics } from "./features/statistics/routes.ts";
import { oauth } from "./features/teams/agents/oauth-routes.ts";
import { session } from "./features/teams/sign-in/routes.ts";
import { teams } from "./features/teams/routes.ts";
import { bootstrap } from "./features/teams/bootstrap/routes.ts";
import { authenticate, bearerOrPassword, bearerOrPlain } from "./http/authenticate.ts";
import { CUBE_API } from "./http/foreign-failures/cube-failure.ts";
import { ICEBERG_API } from "./http/foreign-failures/iceberg-failure.ts";
import { serveDocument } from "./http/openapi/document.ts";
import { createApp } from "./http/router.ts";
import { findAgentCallers, findCallers, findKeyHolders } from "./callers.ts";
import { DELIVERY_JOBS } from "./features/automations/of-docs/delivery-jobs.ts";
import { DOC_JOBS } from "./features/automations/of-docs/doc-jobs.ts";
import { lakeKeys } from "./features/iceberg/keys/routes.ts";
import { INTEGRATION_DEPENDENTS } from "./removals.ts";

export const app = createApp();

app.include("/", liveness);
app.include("/", apiReference);
app.include("/", consolePage);
app.include("/internal", internal);
app.include("/internal/jobs", maintenanceInternal);
app.include("/internal/drive", driveInternal);
app.include("/internal/runs", runsInternal);
app.include("/internal/queries", queriesInternal);
app.include("/internal/cluster-statements", clusterStatementsInternal);
app.include("/internal/wake", wakeInternal);
// Minting the first operator needs the deployment's secret instead of a key, so it stands before the key check.
app.include("/v4/admin/bootstrap", bootstrap);
// Who signs in has no session yet, and who signs out may have none any more.
app.include("/v4/session", session);
// A program that fetches tokens proves itself by what it was sent for.
app.include("/", oauth);
app.include("/schemas", schemas);
// The token in the path is all that its holder needs.
app.include(LINKED_FILE_PATH, linkedFileContents);
// Who follows a link in a mail has none either.
app.include(MAIL_LINKS_PATH, mailLinks);

// Who calls an endpoint holds a key of it, which opens nothing else.
app.include("/v1/endpoints", endpointCalls);
// Who reads a published dashboard holds a token of it.
app.include("/v1/dashboards", dashboardCalls);

// Clients of Trino look for its version before they have sent a key, and send the key as a password.
app.include("/v1/info", trinoInfo);
app.use("/v1/statement/*", authenticate(findCallers, "auth_invalid_token", bearerOrPassword));
app.include("/v1/statement", trino);

app.use("/v1/*", authenticate(findCallers));
app.use("/v3/*", authenticate(findCallers, "forbidden_invalid_key"));
app.use("/v4/*", authenticate(findCallers));
app.use(`${CUBE_API}/*`, authenticate(findCallers, "forbidden_insufficient_permissions", bearerOrPlain));
app.use(`${ICEBERG_API}/*`, refuseIcebergWrites, authenticate(findKeyHolders));

app.use("/mcp", challengeAgents, authenticate(findAgentCallers));

app.include("/v1/query", query);
app.include("/v1/api/integrations", integrations);
app.include("/v1/api/integrations", createIntegrationDeletion(INTEGRATION_DEPENDENTS));
app.include("/v1/api/integrations", lakeKeys);
app.include("/v1/api/integrations", samples);
app.include("/v1/api/integrations", syncs);
app.include("/v1/api/integrations", semanticModels);
app.include("/v1/api/integrations", semantic);
app.include("/v1/api/syncs", syncOverview);
app.include(`${CUBE_API}/v1`, createCubeApi(false));
app.include(`${CUBE_API}/:integration_id/v1`, createCubeApi(true));
app.include(ICEBERG_API, iceberg);
app.include("/v1/store", kvStores);
app.include("/v1/api/secret", secrets);
app.include("/v3/drive", drive);
app.include("/v3/drive/uploads", driveUploads);
app.include("/v3/slack", slack);
app.include("/v3/email", emailMessages);
app.include("/v4/automations/jobs", automationJobs);
app.include("/v4/alerts", alerts);
app.include("/v4/audit", audit);
app.include("/v4/automations/jobs", automationRuns);
app.include("/v4/automations/jobs", maintenanceSync);
app.include("/v4/glossary", glossary);
app.include("/v4/knowledge", knowledge);
app.include("/v4/admin/lake", lakeAdmin);
app.include("/v4/automations/jobs", automationLogs);
app.include("/v4/admin/teams", teamMaintenance);
app.include("/v4/admin", operations);
app.include("/v4/admin/outbox", mailOutbox);
app.include("/v4/admin/statistics", statistics);
app.include("/v4/catalog/integrations", catalog);
app.include("/v4/catalog/search", catalogSearch);
app.include("/v4/data-access", dataAccess);
app.include("/v4/usage", quotas);
app.include("/v4/deliveries", deliveries);
app.include("/v4/deliveries", createDeliveryChangeRoutes(DELIVERY_JOBS));
app.include("/v4/destinations", destinations);
app.include("/v4/mail", mailAddresses);
app.include("/v4/messages", messages);
app.include("/v4/docs", docs);
app.include("/v4/docs", createDocRoutes(DOC_JOBS));
app.include("/v4/docs", docRuns);
app.include("/v4/docs", docDatasets);
app.include("/v4/docs", docBuilds);
app.include("/v4/linked-files", linkedFiles);
app.include("/v4/queries", savedQueries);
app.include("/v4/queries", savedQueryVersions);
app.include("/v4/endpoints", endpoints);
app.include("/v4/endpoints", endpointKeys);
app.include("/v4/published-dashboards", publishedDashboards);
app.include("/v4/executions", executions);
app.include("/v4/webhook", webhook);
app.include("/v4", teams);

app.include("/mcp", createMcpRoutes(app.operations));

declareAlertMessages(app);
declareDeliveryMessage(app);
declareOutboundEvents(app);
serveDocument(app, "/openapi.json");
