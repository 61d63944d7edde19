// The API's table of contents.

import { automationJobs } from "./features/automations/jobs/routes.ts";
import { automationLogs } from "./features/automations/logs/routes.ts";
import { automationRuns } from "./features/automations/runs/routes.ts";
import { declareAlertMessages } from "./features/alerts/messages.ts";
import { alerts } from "./features/alerts/routes.ts";
import { audit } from "./features/audit/routes.ts";
import { catalog } from "./features/catalog/routes.ts";
import { apiReference } from "./features/api-reference/routes.ts";
import { dataAccess } from "./features/data-access/routes.ts";
import { docs } from "./features/docs/routes.ts";
import { executions } from "./features/docs/executions/routes.ts";
import { runsInternal } from "./features/docs/runs/internal-routes.ts";
import { docRuns } from "./features/docs/runs/routes.ts";
import { webhook } from "./features/docs/webhook/routes.ts";
import { driveInternal } from "./features/drive/internal-routes.ts";
import { drive } from "./features/drive/routes.ts";
import { driveUploads } from "./features/drive/multipart/routes.ts";
import { integrations } from "./features/integrations/routes.ts";
import { maintenanceSync } from "./features/lake-admin/maintenance/sync-routes.ts";
import { lakeAdmin } from "./features/lake-admin/routes.ts";
import { teamMaintenance } from "./features/lake-admin/teams/routes.ts";
import { internal } from "./features/lakes/internal-routes.ts";
import { maintenanceInternal } from "./features/lakes/maintenance-routes.ts";
import { lakes } from "./features/lakes/routes.ts";
import { wakeInternal } from "./features/liveness/internal-routes.ts";
import { liveness } from "./features/liveness/routes.ts";
import { quotas } from "./features/quotas/routes.ts";
import { queriesInternal } from "./features/query/async/internal-routes.ts";
import { query } from "./features/query/routes.ts";
import { kvStores } from "./features/kv-stores/routes.ts";
import { secrets } from "./features/secrets/routes.ts";
import { semantic } from "./features/semantic/routes.ts";
import { semanticModels } from "./features/semantic/versions/routes.ts";
import { syncOverview } from "./features/syncs/overview/routes.ts";
import { syncs } from "./features/syncs/routes.ts";
import { findCaller } from "./features/teams/keys/find-caller.ts";
import { statistics } from "./features/statistics/routes.ts";
import { signIn } from "./features/teams/magic-links/routes.ts";
import { teams } from "./features/teams/routes.ts";
import { bootstrap } from "./features/teams/bootstrap/routes.ts";
import { authenticate } from "./http/authenticate.ts";
import { serveDocument } from "./http/openapi/document.ts";
import { createApp } from "./http/router.ts";

export const app = createApp();

app.route("/", liveness);
app.route("/", apiReference);
app.route("/internal", internal);
app.route("/internal/jobs", maintenanceInternal);
app.route("/internal/drive", driveInternal);
app.route("/internal/runs", runsInternal);
app.route("/internal/queries", queriesInternal);
app.route("/internal/wake", wakeInternal);
// Minting the first operator needs the deployment's secret instead of a key, so it stands before the key check.
app.route("/v4/admin/bootstrap", bootstrap);
// Who has a link that signs in has no key yet.
app.route("/sign-in", signIn);

app.use("/v1/*", authenticate(findCaller));
app.use("/v3/*", authenticate(findCaller, "forbidden_insufficient_permissions"));
app.use("/v4/*", authenticate(findCaller));

app.route("/v1/query", query);
app.route("/v1/api/integrations", integrations);
app.route("/v1/api/integrations", lakes);
app.route("/v1/api/integrations", syncs);
app.route("/v1/api/integrations", semanticModels);
app.route("/v1/api/integrations", semantic);
app.route("/v1/api/syncs", syncOverview);
app.route("/v1/store", kvStores);
app.route("/v1/api/secret", secrets);
app.route("/v3/drive", drive);
app.route("/v3/drive/uploads", driveUploads);
app.route("/v4/automations/jobs", automationJobs);
app.route("/v4/alerts", alerts);
app.route("/v4/audit", audit);
app.route("/v4/automations/jobs", automationRuns);
app.route("/v4/automations/jobs", maintenanceSync);
app.route("/v4/admin/lake", lakeAdmin);
app.route("/v4/automations/jobs", automationLogs);
app.route("/v4/admin/teams", teamMaintenance);
app.route("/v4/admin/statistics", statistics);
app.route("/v4/catalog/integrations", catalog);
app.route("/v4/data-access", dataAccess);
app.route("/v4/usage", quotas);
app.route("/v4/docs", docs);
app.route("/v4/docs", docRuns);
app.route("/v4/executions", executions);
app.route("/v4/webhook", webhook);
app.route("/v4", teams);

declareAlertMessages(app);
serveDocument(app, "/openapi.json");
