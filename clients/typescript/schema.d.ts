// The API's types, made from /openapi.json. Nobody edits this file: clients/typescript/README.md says how it is made.

export interface paths {
    "/": {
        parameters: {
        };
        get: operations["getLiveness"];
    };
    "/health": {
        parameters: {
        };
        get: operations["getHealth"];
    };
    "/v4/admin/bootstrap": {
        parameters: {
        };
        post: operations["createFirstOperator"];
    };
    "/v4/session": {
        parameters: {
        };
        post: operations["createSession"];
        delete: operations["signOut"];
    };
    "/v4/session/preview": {
        parameters: {
        };
        post: operations["previewSignIn"];
    };
    "/v4/session/links": {
        parameters: {
        };
        post: operations["requestSignInLink"];
    };
    "/v4/session/passkey": {
        parameters: {
        };
        post: operations["createSignInChallenge"];
    };
    "/v4/session/oidc": {
        parameters: {
        };
        post: operations["beginOidc"];
    };
    "/v4/session/ways": {
        parameters: {
        };
        get: operations["getSignInWays"];
        post: operations["findProviders"];
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
        };
        get: operations["getMcpResourceMetadata"];
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
        };
        get: operations["getResourceMetadata"];
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
        };
        get: operations["getAuthorizationServerMetadata"];
    };
    "/oauth/token": {
        parameters: {
        };
        post: operations["grantAgentTokens"];
    };
    "/oauth/revoke": {
        parameters: {
        };
        post: operations["revokeAgentTokens"];
    };
    "/schemas/doc-2025-01.json": {
        parameters: {
        };
        get: operations["getDocSchema"];
    };
    "/f/{token}": {
        parameters: {
        };
        get: operations["fetchLinkedFile"];
    };
    "/mail/confirm/{token}": {
        parameters: {
        };
        get: operations["showMailConfirmation"];
        post: operations["confirmMailAddress"];
    };
    "/mail/unsubscribe/{token}": {
        parameters: {
        };
        get: operations["showUnsubscribing"];
        post: operations["unsubscribeFromMail"];
    };
    "/mail/subscribe/{token}": {
        parameters: {
        };
        post: operations["subscribeToMail"];
    };
    "/v1/endpoints/{team_id}/{endpoint_name}": {
        parameters: {
        };
        get: operations["getEndpointResult"];
        post: operations["callEndpoint"];
    };
    "/v1/dashboards/{team_id}/{dashboard_name}": {
        parameters: {
        };
        get: operations["getDashboardDefinition"];
    };
    "/v1/dashboards/{team_id}/{dashboard_name}/datasets/{dataset_key}": {
        parameters: {
        };
        get: operations["getDashboardDataset"];
        post: operations["askDashboardDataset"];
    };
    "/v1/info": {
        parameters: {
        };
        get: operations["getTrinoInfo"];
    };
    "/v1/statement": {
        parameters: {
        };
        post: operations["beginTrinoStatement"];
    };
    "/v1/statement/executing/{page_token}": {
        parameters: {
        };
        get: operations["getTrinoPage"];
        delete: operations["cancelTrinoStatement"];
    };
    "/v1/query": {
        parameters: {
        };
        post: operations["runQuery"];
    };
    "/v1/query/estimate": {
        parameters: {
        };
        post: operations["estimateQuery"];
    };
    "/v1/query/{request_id}": {
        parameters: {
        };
        get: operations["getQuery"];
        delete: operations["cancelQuery"];
    };
    "/v1/api/integrations": {
        parameters: {
        };
        get: operations["listIntegrations"];
        post: operations["createIntegration"];
    };
    "/v1/api/integrations/{integration_id}": {
        parameters: {
        };
        get: operations["getIntegration"];
        delete: operations["deleteIntegration"];
        patch: operations["updateIntegration"];
    };
    "/v1/api/integrations/{integration_id}/test": {
        parameters: {
        };
        post: operations["testIntegration"];
    };
    "/v1/api/integrations/{integration_id}/lake_key": {
        parameters: {
        };
        post: operations["createLakeKey"];
        delete: operations["deleteLakeKey"];
    };
    "/v1/api/integrations/{integration_id}/sample": {
        parameters: {
        };
        get: operations["getSample"];
        post: operations["loadSample"];
    };
    "/v1/api/integrations/{integration_id}/sync": {
        parameters: {
        };
        get: operations["getSync"];
        post: operations["configureSync"];
        delete: operations["deleteSync"];
        patch: operations["updateSync"];
    };
    "/v1/api/integrations/{integration_id}/syncs": {
        parameters: {
        };
        get: operations["listSyncRuns"];
    };
    "/v1/api/integrations/{integration_id}/syncs/run": {
        parameters: {
        };
        post: operations["runSync"];
    };
    "/v1/api/integrations/{integration_id}/syncs/{run_id}": {
        parameters: {
        };
        get: operations["getSyncRun"];
    };
    "/v1/api/integrations/{integration_id}/syncs/{run_id}/logs": {
        parameters: {
        };
        get: operations["listSyncRunLogs"];
    };
    "/v1/api/integrations/{integration_id}/syncs/{run_id}/cancel": {
        parameters: {
        };
        post: operations["cancelSyncRun"];
    };
    "/v1/api/integrations/{integration_id}/model": {
        parameters: {
        };
        get: operations["getSemanticModel"];
        put: operations["setSemanticModel"];
    };
    "/v1/api/integrations/{integration_id}/model/versions": {
        parameters: {
        };
        get: operations["listSemanticModelVersions"];
    };
    "/v1/api/integrations/{integration_id}/model/versions/{version}": {
        parameters: {
        };
        get: operations["getSemanticModelVersion"];
    };
    "/v1/api/integrations/{integration_id}/model/versions/{version}/diff": {
        parameters: {
        };
        get: operations["getSemanticModelDiff"];
    };
    "/v1/api/integrations/{integration_id}/model/restore": {
        parameters: {
        };
        post: operations["restoreSemanticModel"];
    };
    "/v1/api/integrations/{integration_id}/model/check": {
        parameters: {
        };
        post: operations["checkSemanticModel"];
    };
    "/v1/api/integrations/{integration_id}/model/draft": {
        parameters: {
        };
        post: operations["draftSemanticModel"];
    };
    "/v1/api/integrations/{integration_id}/meta": {
        parameters: {
        };
        get: operations["getSemanticMeta"];
    };
    "/v1/api/integrations/{integration_id}/sql": {
        parameters: {
        };
        post: operations["getSemanticSql"];
    };
    "/v1/api/syncs": {
        parameters: {
        };
        get: operations["listSyncs"];
    };
    "/iceberg/v1/config": {
        parameters: {
        };
        get: operations["getIcebergConfig"];
    };
    "/iceberg/v1/{warehouse}/namespaces": {
        parameters: {
        };
        get: operations["listIcebergNamespaces"];
    };
    "/iceberg/v1/{warehouse}/namespaces/{schema_name}": {
        parameters: {
        };
        get: operations["getIcebergNamespace"];
    };
    "/iceberg/v1/{warehouse}/namespaces/{schema_name}/tables": {
        parameters: {
        };
        get: operations["listIcebergTables"];
    };
    "/iceberg/v1/{warehouse}/namespaces/{schema_name}/tables/{table_name}": {
        parameters: {
        };
        get: operations["loadIcebergTable"];
    };
    "/iceberg/v1/{warehouse}/namespaces/{schema_name}/tables/{table_name}/credentials": {
        parameters: {
        };
        get: operations["renewIcebergCredentials"];
    };
    "/v1/store/{store_name}": {
        parameters: {
        };
        get: operations["getKvStore"];
    };
    "/v1/store": {
        parameters: {
        };
        post: operations["setKvStore"];
        delete: operations["deleteKvStore"];
    };
    "/v1/api/secret": {
        parameters: {
        };
        get: operations["listSecrets"];
    };
    "/v1/api/secret/{secret_key}": {
        parameters: {
        };
        get: operations["getSecret"];
        post: operations["setSecret"];
        delete: operations["deleteSecret"];
    };
    "/v3/drive/upload-url": {
        parameters: {
        };
        post: operations["createUploadUrl"];
    };
    "/v3/drive/files": {
        parameters: {
        };
        get: operations["listDriveFiles"];
    };
    "/v3/drive/file": {
        parameters: {
        };
        get: operations["getDriveFile"];
        delete: operations["deleteDriveFile"];
    };
    "/v3/drive/download-url": {
        parameters: {
        };
        post: operations["createDownloadUrl"];
    };
    "/v3/drive/uploads": {
        parameters: {
        };
        post: operations["createMultipartUpload"];
    };
    "/v3/drive/uploads/{upload_id}/parts": {
        parameters: {
        };
        post: operations["signUploadParts"];
    };
    "/v3/drive/uploads/{upload_id}/complete": {
        parameters: {
        };
        post: operations["completeMultipartUpload"];
    };
    "/v3/drive/uploads/{upload_id}": {
        parameters: {
        };
        delete: operations["cancelMultipartUpload"];
    };
    "/v3/slack/message": {
        parameters: {
        };
        post: operations["sendSlackMessage"];
    };
    "/v3/email/message": {
        parameters: {
        };
        post: operations["sendEmailMessage"];
    };
    "/v4/automations/jobs": {
        parameters: {
        };
        get: operations["listAutomationJobs"];
        post: operations["createAutomationJob"];
    };
    "/v4/automations/jobs/{job_id}": {
        parameters: {
        };
        get: operations["getAutomationJob"];
        delete: operations["deleteAutomationJob"];
        patch: operations["updateAutomationJob"];
    };
    "/v4/alerts/webhook": {
        parameters: {
        };
        get: operations["getAlertWebhook"];
        put: operations["setAlertWebhook"];
        delete: operations["deleteAlertWebhook"];
    };
    "/v4/alerts/webhook/secret": {
        parameters: {
        };
        post: operations["setAlertSecret"];
    };
    "/v4/alerts/webhook/test": {
        parameters: {
        };
        post: operations["testAlertWebhook"];
    };
    "/v4/alerts/deliveries": {
        parameters: {
        };
        get: operations["listAlertDeliveries"];
    };
    "/v4/audit": {
        parameters: {
        };
        get: operations["listAuditEvents"];
    };
    "/v4/automations/jobs/{job_id}/process": {
        parameters: {
        };
        post: operations["processAutomationJob"];
    };
    "/v4/automations/jobs/{job_id}/runs": {
        parameters: {
        };
        get: operations["listAutomationRuns"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}": {
        parameters: {
        };
        get: operations["getAutomationRun"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}/cancel": {
        parameters: {
        };
        post: operations["cancelAutomationRun"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}/replay": {
        parameters: {
        };
        post: operations["replayAutomationRun"];
    };
    "/v4/automations/jobs/{job_id}/maintenance/sync": {
        parameters: {
        };
        post: operations["syncMaintenance"];
    };
    "/v4/glossary": {
        parameters: {
        };
        get: operations["listGlossaryTerms"];
        post: operations["createGlossaryTerm"];
    };
    "/v4/glossary/{term_id}": {
        parameters: {
        };
        get: operations["getGlossaryTerm"];
        delete: operations["deleteGlossaryTerm"];
        patch: operations["updateGlossaryTerm"];
    };
    "/v4/glossary/{term_id}/versions": {
        parameters: {
        };
        get: operations["listGlossaryTermVersions"];
    };
    "/v4/glossary/{term_id}/versions/{version}": {
        parameters: {
        };
        get: operations["getGlossaryTermVersion"];
    };
    "/v4/knowledge": {
        parameters: {
        };
        get: operations["getKnowledge"];
    };
    "/v4/admin/lake/maintenance/schedules": {
        parameters: {
        };
        get: operations["listMaintenanceSchedules"];
    };
    "/v4/admin/lake/maintenance/{integration_id}/schedule": {
        parameters: {
        };
        get: operations["getMaintenanceSchedule"];
        put: operations["setMaintenanceSchedule"];
        delete: operations["deleteMaintenanceSchedule"];
    };
    "/v4/admin/lake/options/{integration_id}": {
        parameters: {
        };
        get: operations["listLakeOptions"];
        put: operations["setLakeOption"];
    };
    "/v4/admin/lake/maintenance/{integration_id}": {
        parameters: {
        };
        get: operations["getMaintenance"];
        post: operations["runMaintenance"];
    };
    "/v4/admin/lake/maintenance/{integration_id}/cancel": {
        parameters: {
        };
        post: operations["cancelMaintenance"];
    };
    "/v4/admin/lake/maintenance/{integration_id}/job-logs/last-failed": {
        parameters: {
        };
        get: operations["listLastFailedMaintenanceLogs"];
    };
    "/v4/admin/lake/maintenance/{integration_id}/job-logs/{job_id}": {
        parameters: {
        };
        get: operations["listMaintenanceLogs"];
    };
    "/v4/admin/lake/health": {
        parameters: {
        };
        get: operations["listLakeHealth"];
    };
    "/v4/admin/lake/health/{integration_id}": {
        parameters: {
        };
        get: operations["getLakeHealth"];
    };
    "/v4/admin/lake/storage/{integration_id}": {
        parameters: {
        };
        get: operations["getLakeStorage"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}/attempts": {
        parameters: {
        };
        get: operations["listAutomationAttempts"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}/attempts/{attempt_id}/logs": {
        parameters: {
        };
        get: operations["listAutomationLogs"];
    };
    "/v4/automations/jobs/{job_id}/runs/{run_id}/logs": {
        parameters: {
        };
        get: operations["followAutomationRun"];
    };
    "/v4/admin/teams/{team_id}/maintenance": {
        parameters: {
        };
        get: operations["getTeamMaintenance"];
        post: operations["runTeamMaintenance"];
    };
    "/v4/admin/teams/{team_id}/maintenance/job-logs/last-failed": {
        parameters: {
        };
        get: operations["listLastFailedTeamMaintenanceLogs"];
    };
    "/v4/admin/teams/{team_id}/maintenance/job-logs/{job_id}": {
        parameters: {
        };
        get: operations["listTeamMaintenanceLogs"];
    };
    "/v4/admin/work": {
        parameters: {
        };
        get: operations["listWork"];
    };
    "/v4/admin/health": {
        parameters: {
        };
        get: operations["getPlatformHealth"];
    };
    "/v4/admin/outbox": {
        parameters: {
        };
        get: operations["listOutboxMails"];
    };
    "/v4/admin/outbox/{mail_id}": {
        parameters: {
        };
        get: operations["readOutboxMail"];
    };
    "/v4/admin/statistics": {
        parameters: {
        };
        get: operations["listEventStatistics"];
    };
    "/v4/admin/statistics/{type}": {
        parameters: {
        };
        get: operations["getEventStatistics"];
    };
    "/v4/catalog/integrations/{integration_id}/tables": {
        parameters: {
        };
        get: operations["listLakeTables"];
    };
    "/v4/catalog/integrations/{integration_id}/lineage": {
        parameters: {
        };
        get: operations["listLineage"];
    };
    "/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}": {
        parameters: {
        };
        get: operations["getLakeTable"];
    };
    "/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/lineage": {
        parameters: {
        };
        get: operations["getTableLineage"];
    };
    "/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/snapshots": {
        parameters: {
        };
        get: operations["listTableSnapshots"];
    };
    "/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/columns/{column_name}/profile": {
        parameters: {
        };
        get: operations["getColumnProfile"];
    };
    "/v4/catalog/integrations/{integration_id}/export": {
        parameters: {
        };
        get: operations["exportLakeCatalog"];
    };
    "/v4/catalog/search": {
        parameters: {
        };
        get: operations["searchCatalog"];
    };
    "/v4/data-access/roles": {
        parameters: {
        };
        get: operations["listRoles"];
        post: operations["createRole"];
    };
    "/v4/data-access/roles/{role_id}": {
        parameters: {
        };
        get: operations["getRole"];
        delete: operations["deleteRole"];
        patch: operations["updateRole"];
    };
    "/v4/data-access/roles/{role_id}/members": {
        parameters: {
        };
        get: operations["listRoleMembers"];
    };
    "/v4/data-access/roles/{role_id}/members/{user_id}": {
        parameters: {
        };
        put: operations["addRoleMember"];
        delete: operations["removeRoleMember"];
    };
    "/v4/data-access/me": {
        parameters: {
        };
        get: operations["getMyAccess"];
    };
    "/v4/data-access/users/{user_id}/attributes": {
        parameters: {
        };
        get: operations["getUserAttributes"];
        put: operations["setUserAttributes"];
    };
    "/v4/data-access/users/{user_id}/preview": {
        parameters: {
        };
        get: operations["previewAccess"];
    };
    "/v4/usage": {
        parameters: {
        };
        get: operations["getUsage"];
    };
    "/v4/deliveries": {
        parameters: {
        };
        get: operations["listDeliveries"];
        post: operations["createDelivery"];
    };
    "/v4/deliveries/{delivery_id}": {
        parameters: {
        };
        get: operations["getDelivery"];
        delete: operations["deleteDelivery"];
        patch: operations["updateDelivery"];
    };
    "/v4/destinations": {
        parameters: {
        };
        get: operations["listDestinations"];
        post: operations["createDestination"];
    };
    "/v4/destinations/{destination_id}": {
        parameters: {
        };
        get: operations["getDestination"];
        delete: operations["deleteDestination"];
        patch: operations["updateDestination"];
    };
    "/v4/destinations/{destination_id}/secret": {
        parameters: {
        };
        post: operations["setDestinationSecret"];
    };
    "/v4/destinations/{destination_id}/replay": {
        parameters: {
        };
        post: operations["replayEvents"];
    };
    "/v4/destinations/{destination_id}/test": {
        parameters: {
        };
        post: operations["testDestination"];
    };
    "/v4/mail/addresses": {
        parameters: {
        };
        get: operations["listMailAddresses"];
        post: operations["createMailAddress"];
    };
    "/v4/mail/addresses/{address_id}": {
        parameters: {
        };
        delete: operations["deleteMailAddress"];
    };
    "/v4/messages": {
        parameters: {
        };
        get: operations["listMessages"];
    };
    "/v4/messages/{message_id}": {
        parameters: {
        };
        get: operations["getMessage"];
    };
    "/v4/messages/{message_id}/attempts": {
        parameters: {
        };
        get: operations["listMessageAttempts"];
    };
    "/v4/messages/{message_id}/replay": {
        parameters: {
        };
        post: operations["replayMessage"];
    };
    "/v4/docs": {
        parameters: {
        };
        get: operations["listDocs"];
        post: operations["createDoc"];
    };
    "/v4/docs/{doc_id}/versions": {
        parameters: {
        };
        get: operations["listDocVersions"];
    };
    "/v4/docs/{doc_id}/versions/{version}": {
        parameters: {
        };
        get: operations["getDocVersion"];
    };
    "/v4/docs/{doc_id}": {
        parameters: {
        };
        get: operations["getDoc"];
        put: operations["updateDoc"];
        delete: operations["deleteDoc"];
    };
    "/v4/docs/{doc_id}/restore": {
        parameters: {
        };
        post: operations["restoreDoc"];
    };
    "/v4/docs/{doc_id}/run": {
        parameters: {
        };
        post: operations["runDoc"];
    };
    "/v4/docs/{doc_id}/runs": {
        parameters: {
        };
        get: operations["listDocRuns"];
    };
    "/v4/docs/{doc_id}/runs/{run_id}": {
        parameters: {
        };
        get: operations["getDocRun"];
    };
    "/v4/docs/{doc_id}/runs/{run_id}/cancel": {
        parameters: {
        };
        post: operations["cancelDocRun"];
    };
    "/v4/docs/{doc_id}/webhook-secret": {
        parameters: {
        };
        put: operations["setWebhookSecret"];
        delete: operations["deleteWebhookSecret"];
    };
    "/v4/docs/{doc_id}/datasets/{dataset_key}/query": {
        parameters: {
        };
        post: operations["queryDataset"];
    };
    "/v4/docs/{doc_id}/runs/{run_id}/rerun": {
        parameters: {
        };
        post: operations["rerunDocRun"];
    };
    "/v4/docs/{doc_id}/runs/{run_id}/tables": {
        parameters: {
        };
        get: operations["listRunTables"];
    };
    "/v4/linked-files": {
        parameters: {
        };
        get: operations["listLinkedFiles"];
    };
    "/v4/linked-files/{linked_file_id}": {
        parameters: {
        };
        delete: operations["deleteLinkedFile"];
    };
    "/v4/queries": {
        parameters: {
        };
        get: operations["listSavedQueries"];
        post: operations["createSavedQuery"];
    };
    "/v4/queries/{query_id}": {
        parameters: {
        };
        get: operations["getSavedQuery"];
        delete: operations["deleteSavedQuery"];
        patch: operations["updateSavedQuery"];
    };
    "/v4/queries/{query_id}/restore": {
        parameters: {
        };
        post: operations["restoreSavedQuery"];
    };
    "/v4/queries/{query_id}/run": {
        parameters: {
        };
        post: operations["runSavedQuery"];
    };
    "/v4/queries/{query_id}/versions": {
        parameters: {
        };
        get: operations["listSavedQueryVersions"];
    };
    "/v4/queries/{query_id}/versions/{version}": {
        parameters: {
        };
        get: operations["getSavedQueryVersion"];
    };
    "/v4/queries/{query_id}/uses": {
        parameters: {
        };
        get: operations["listSavedQueryUses"];
    };
    "/v4/endpoints": {
        parameters: {
        };
        get: operations["listEndpoints"];
        post: operations["createEndpoint"];
    };
    "/v4/endpoints/openapi.json": {
        parameters: {
        };
        get: operations["describeEndpoints"];
    };
    "/v4/endpoints/{endpoint_id}": {
        parameters: {
        };
        get: operations["getEndpoint"];
        delete: operations["deleteEndpoint"];
        patch: operations["updateEndpoint"];
    };
    "/v4/endpoints/{endpoint_id}/secret": {
        parameters: {
        };
        post: operations["setEndpointSecret"];
    };
    "/v4/endpoints/{endpoint_id}/statistics": {
        parameters: {
        };
        get: operations["getEndpointStatistics"];
    };
    "/v4/endpoints/{endpoint_id}/keys": {
        parameters: {
        };
        get: operations["listEndpointKeys"];
        post: operations["createEndpointKey"];
    };
    "/v4/endpoints/{endpoint_id}/keys/{key_id}": {
        parameters: {
        };
        delete: operations["deleteEndpointKey"];
    };
    "/v4/published-dashboards": {
        parameters: {
        };
        get: operations["listPublishedDashboards"];
        post: operations["createPublishedDashboard"];
    };
    "/v4/published-dashboards/{published_dashboard_id}": {
        parameters: {
        };
        get: operations["getPublishedDashboard"];
        delete: operations["deletePublishedDashboard"];
        patch: operations["updatePublishedDashboard"];
    };
    "/v4/published-dashboards/{published_dashboard_id}/secret": {
        parameters: {
        };
        post: operations["setPublishedDashboardSecret"];
    };
    "/v4/published-dashboards/{published_dashboard_id}/statistics": {
        parameters: {
        };
        get: operations["getPublishedDashboardStatistics"];
    };
    "/v4/executions/{execution_id}": {
        parameters: {
        };
        get: operations["getExecution"];
    };
    "/v4/executions/{execution_id}/logs": {
        parameters: {
        };
        get: operations["listExecutionLogs"];
    };
    "/v4/webhook/docs/{doc_id}/execute": {
        parameters: {
        };
        post: operations["executeWebhook"];
    };
    "/v4/me": {
        parameters: {
        };
        get: operations["getMe"];
    };
    "/v4/users": {
        parameters: {
        };
        get: operations["listUsers"];
        post: operations["createUser"];
    };
    "/v4/users/{user_id}": {
        parameters: {
        };
        get: operations["getUser"];
        delete: operations["deleteUser"];
        patch: operations["updateUser"];
    };
    "/v4/users/{user_id}/keys": {
        parameters: {
        };
        get: operations["listKeys"];
        post: operations["createKey"];
    };
    "/v4/users/{user_id}/keys/{key_id}": {
        parameters: {
        };
        get: operations["getKey"];
        delete: operations["deleteKey"];
    };
    "/v4/users/{user_id}/keys/{key_id}/rotate": {
        parameters: {
        };
        post: operations["rotateKey"];
    };
    "/v4/keys": {
        parameters: {
        };
        get: operations["listOwnKeys"];
        post: operations["createOwnKey"];
    };
    "/v4/keys/{key_id}": {
        parameters: {
        };
        delete: operations["deleteOwnKey"];
    };
    "/v4/sessions": {
        parameters: {
        };
        get: operations["listSessions"];
    };
    "/v4/users/{user_id}/sessions": {
        parameters: {
        };
        get: operations["listUserSessions"];
    };
    "/v4/sessions/{session_id}": {
        parameters: {
        };
        delete: operations["deleteSession"];
    };
    "/v4/passkeys": {
        parameters: {
        };
        get: operations["listPasskeys"];
        post: operations["createPasskey"];
    };
    "/v4/users/{user_id}/passkeys": {
        parameters: {
        };
        get: operations["listUserPasskeys"];
    };
    "/v4/passkeys/challenge": {
        parameters: {
        };
        post: operations["createPasskeyChallenge"];
    };
    "/v4/passkeys/{passkey_id}": {
        parameters: {
        };
        delete: operations["deletePasskey"];
    };
    "/v4/agent-authorizations/preview": {
        parameters: {
        };
        post: operations["previewAgentAuthorization"];
    };
    "/v4/agent-authorizations": {
        parameters: {
        };
        get: operations["listAgentAuthorizations"];
        post: operations["createAgentAuthorization"];
    };
    "/v4/users/{user_id}/agent-authorizations": {
        parameters: {
        };
        get: operations["listUserAgentAuthorizations"];
    };
    "/v4/agent-authorizations/{authorization_id}": {
        parameters: {
        };
        delete: operations["deleteAgentAuthorization"];
    };
    "/v4/identities": {
        parameters: {
        };
        get: operations["listIdentities"];
        post: operations["createIdentity"];
    };
    "/v4/users/{user_id}/identities": {
        parameters: {
        };
        get: operations["listUserIdentities"];
    };
    "/v4/identities/oidc": {
        parameters: {
        };
        post: operations["beginIdentity"];
    };
    "/v4/identities/{identity_id}": {
        parameters: {
        };
        delete: operations["deleteIdentity"];
    };
    "/v4/team/identity-provider": {
        parameters: {
        };
        get: operations["getIdentityProvider"];
        put: operations["setIdentityProvider"];
        delete: operations["deleteIdentityProvider"];
    };
    "/v4/team/domains": {
        parameters: {
        };
        get: operations["listTeamDomains"];
        post: operations["createTeamDomain"];
    };
    "/v4/team/domains/{domain_id}/verify": {
        parameters: {
        };
        post: operations["verifyTeamDomain"];
    };
    "/v4/team/domains/{domain_id}": {
        parameters: {
        };
        delete: operations["deleteTeamDomain"];
    };
    "/v4/team/settings": {
        parameters: {
        };
        get: operations["getTeamSettings"];
        patch: operations["updateTeamSettings"];
    };
    "/v4/admin/teams": {
        parameters: {
        };
        get: operations["listTeams"];
        post: operations["createTeam"];
    };
    "/v4/admin/teams/{team_id}": {
        parameters: {
        };
        get: operations["getTeam"];
        delete: operations["deleteTeam"];
        patch: operations["updateTeam"];
    };
    "/v4/admin/teams/{team_id}/domains": {
        parameters: {
        };
        put: operations["setTeamDomain"];
    };
    "/v4/admin/teams/{team_id}/magic-link": {
        parameters: {
        };
        post: operations["createMagicLink"];
    };
    "/mcp": {
        parameters: {
        };
        post: operations["callMcp"];
    };
}
export interface webhooks {
    "sync.failed": {
        parameters: {
        };
        post: operations["syncFailed"];
    };
    "sync.stale": {
        parameters: {
        };
        post: operations["syncStale"];
    };
    "sync.recovered": {
        parameters: {
        };
        post: operations["syncRecovered"];
    };
    "job.failed": {
        parameters: {
        };
        post: operations["jobFailed"];
    };
    "job.stale": {
        parameters: {
        };
        post: operations["jobStale"];
    };
    "job.warned": {
        parameters: {
        };
        post: operations["jobWarned"];
    };
    "job.recovered": {
        parameters: {
        };
        post: operations["jobRecovered"];
    };
    "alert.test": {
        parameters: {
        };
        post: operations["alertTest"];
    };
    delivery: {
        parameters: {
        };
        post: operations["delivery"];
    };
    "sync_run.started": {
        parameters: {
        };
        post: operations["syncRunStartedEvent"];
    };
    "sync_run.ended": {
        parameters: {
        };
        post: operations["syncRunEndedEvent"];
    };
    "job_run.started": {
        parameters: {
        };
        post: operations["jobRunStartedEvent"];
    };
    "job_run.ended": {
        parameters: {
        };
        post: operations["jobRunEndedEvent"];
    };
    "maintenance_run.started": {
        parameters: {
        };
        post: operations["maintenanceRunStartedEvent"];
    };
    "maintenance_run.ended": {
        parameters: {
        };
        post: operations["maintenanceRunEndedEvent"];
    };
    "doc_run.started": {
        parameters: {
        };
        post: operations["docRunStartedEvent"];
    };
    "doc_run.ended": {
        parameters: {
        };
        post: operations["docRunEndedEvent"];
    };
    "table_tests.ended": {
        parameters: {
        };
        post: operations["tableTestsEndedEvent"];
    };
    "quota.exceeded": {
        parameters: {
        };
        post: operations["quotaExceededEvent"];
    };
    "access.changed": {
        parameters: {
        };
        post: operations["accessChangedEvent"];
    };
    "event.test": {
        parameters: {
        };
        post: operations["eventTestEvent"];
    };
}
export interface components {
    schemas: {
        WebhookDelivery: {
            data?: unknown;
            environmentVariables?: {
                [key: string]: string;
            };
            datasetKeys?: string[];
        };
        SyncAlert: {
            /** @enum {string} */
            type: "sync.failed" | "sync.stale" | "sync.recovered";
            timestamp: string;
            data: components["schemas"]["SyncAlertData"];
        };
        SyncAlertData: {
            sync_id: string;
            source_id: string;
            source_name: string | null;
            lake_id: string;
            lake_name: string | null;
            dest_schema: string;
            episode_id: string;
            /** @enum {string} */
            cause: "failed" | "stale" | "warned";
            since: string;
            last_success_at: string | null;
            due_by: string | null;
            run_id: string | null;
            error: string | null;
            path: string;
        };
        JobAlert: {
            /** @enum {string} */
            type: "job.failed" | "job.stale" | "job.warned" | "job.recovered";
            timestamp: string;
            data: components["schemas"]["JobAlertData"];
        };
        JobAlertData: {
            job_id: string;
            job_name: string;
            /** @enum {string} */
            resource_type: "doc" | "lake_integration_maintenance" | "delivery";
            resource_id: string;
            /** @enum {string|null} */
            kind: "full" | "daily" | null;
            /** @enum {string|null} */
            paused_reason: "doc_archived" | "owner_gone" | "owner_lacks_right" | null;
            tests: components["schemas"]["FailedTableTest"][];
            episode_id: string;
            /** @enum {string} */
            cause: "failed" | "stale" | "warned";
            since: string;
            last_success_at: string | null;
            due_by: string | null;
            run_id: string | null;
            error: string | null;
            path: string;
        };
        FailedTableTest: {
            schema: string;
            table: string;
            name: string;
            /** @enum {string} */
            severity: "error" | "warn";
        };
        TestAlert: {
            /** @enum {string} */
            type: "alert.test";
            timestamp: string;
            data: {
                team_id: string;
            };
        };
        DeliveryPayload: {
            /** @enum {string} */
            type: "delivery";
            data: {
                subject: string;
                text: string;
                tables: {
                    title: string;
                    columns: string[];
                    rows: (string | null)[][];
                    row_count: number;
                }[];
                links: {
                    title: string;
                    url: string;
                    expires_at: string;
                }[];
            };
        };
        SyncRunStartedEvent: {
            /** @enum {string} */
            type: "sync_run.started";
            timestamp: string;
            data: {
                run_id: string;
                sync_id: string;
                source_id: string;
                lake_id: string;
                dest_schema: string;
                /** @enum {string} */
                state: "running";
                attempt: number;
                started_at: string | null;
            };
        };
        SyncRunEndedEvent: {
            /** @enum {string} */
            type: "sync_run.ended";
            timestamp: string;
            data: {
                run_id: string;
                sync_id: string;
                source_id: string;
                lake_id: string;
                dest_schema: string;
                /** @enum {string} */
                state: "succeeded" | "failed" | "cancelled" | "timed_out";
                attempt: number;
                started_at: string | null;
                ended_at: string;
            };
        };
        JobRunStartedEvent: {
            /** @enum {string} */
            type: "job_run.started";
            timestamp: string;
            data: {
                run_id: string;
                job_id: string | null;
                /** @enum {string} */
                resource_type: "doc" | "lake_integration_maintenance" | "delivery";
                resource_id: string;
                /** @enum {string} */
                state: "running";
                attempt: number;
                started_at: string | null;
            };
        };
        JobRunEndedEvent: {
            /** @enum {string} */
            type: "job_run.ended";
            timestamp: string;
            data: {
                run_id: string;
                job_id: string | null;
                /** @enum {string} */
                resource_type: "doc" | "lake_integration_maintenance" | "delivery";
                resource_id: string;
                /** @enum {string} */
                state: "succeeded" | "failed" | "cancelled" | "timed_out";
                attempt: number;
                started_at: string | null;
                ended_at: string;
            };
        };
        MaintenanceRunStartedEvent: {
            /** @enum {string} */
            type: "maintenance_run.started";
            timestamp: string;
            data: {
                run_id: string;
                job_id: string | null;
                /** @enum {string} */
                resource_type: "doc" | "lake_integration_maintenance" | "delivery";
                resource_id: string;
                /** @enum {string} */
                state: "running";
                attempt: number;
                started_at: string | null;
            };
        };
        MaintenanceRunEndedEvent: {
            /** @enum {string} */
            type: "maintenance_run.ended";
            timestamp: string;
            data: {
                run_id: string;
                job_id: string | null;
                /** @enum {string} */
                resource_type: "doc" | "lake_integration_maintenance" | "delivery";
                resource_id: string;
                /** @enum {string} */
                state: "succeeded" | "failed" | "cancelled" | "timed_out";
                attempt: number;
                started_at: string | null;
                ended_at: string;
            };
        };
        DocRunStartedEvent: {
            /** @enum {string} */
            type: "doc_run.started";
            timestamp: string;
            data: {
                run_id: string;
                doc_id: string;
                doc_version: number;
                cause: string;
                /** @enum {string} */
                state: "running";
                started_at: string;
            };
        };
        DocRunEndedEvent: {
            /** @enum {string} */
            type: "doc_run.ended";
            timestamp: string;
            data: {
                run_id: string;
                doc_id: string;
                doc_version: number;
                cause: string;
                /** @enum {string} */
                state: "succeeded" | "failed" | "cancelled" | "timed_out";
                started_at: string | null;
                ended_at: string;
            };
        };
        TableTestsEndedEvent: {
            /** @enum {string} */
            type: "table_tests.ended";
            timestamp: string;
            data: {
                run_id: string;
                doc_id: string;
                /** @enum {string} */
                outcome: "passed" | "warned" | "failed";
                tests: number;
                tests_failed: number;
                failed: {
                    schema: string;
                    table: string;
                    name: string;
                    /** @enum {string} */
                    severity: "error" | "warn";
                }[];
            };
        };
        QuotaExceededEvent: {
            /** @enum {string} */
            type: "quota.exceeded";
            timestamp: string;
            data: {
                quota: string;
                /** @enum {string} */
                plan: "free" | "trial" | "standard" | "enterprise";
                limit: number;
                used: number;
                resets_at: string | null;
            };
        };
        AccessChangedEvent: {
            /** @enum {string} */
            type: "access.changed";
            timestamp: string;
            data: {
                audit_event_id: string;
                /** @enum {string} */
                action: "agent_authorization.create" | "agent_authorization.delete" | "alert_secret.set" | "alert_webhook.delete" | "alert_webhook.set" | "alert_webhook.test" | "automation_job.create" | "automation_job.delete" | "automation_job.process" | "automation_job.update" | "automation_run.cancel" | "automation_run.replay" | "automation_run.sync" | "catalog.export" | "delivery.create" | "delivery.delete" | "delivery.update" | "destination.create" | "destination.delete" | "destination.replay" | "destination.test" | "destination.update" | "destination_secret.set" | "doc.create" | "doc.delete" | "doc.restore" | "doc.update" | "doc_run.cancel" | "doc_run.start" | "drive_file.delete" | "drive_upload.cancel" | "drive_upload.complete" | "drive_upload.create" | "endpoint.create" | "endpoint.delete" | "endpoint.update" | "endpoint_key.create" | "endpoint_key.delete" | "endpoint_secret.set" | "glossary_term.create" | "glossary_term.delete" | "glossary_term.update" | "identity.create" | "identity.delete" | "identity_provider.delete" | "identity_provider.set" | "integration.create" | "integration.delete" | "integration.update" | "key.create" | "key.delete" | "key.rotate" | "kv_store.delete" | "kv_store.set" | "lake.maintain" | "lake_key.create" | "lake_key.delete" | "lake_option.set" | "linked_file.delete" | "magic_link.create" | "magic_link.use" | "mail_address.create" | "mail_address.delete" | "message.replay" | "message.send" | "operator.create" | "passkey.create" | "passkey.delete" | "published_dashboard.create" | "published_dashboard.delete" | "published_dashboard.update" | "published_dashboard_secret.set" | "role.create" | "role.delete" | "role.update" | "role_member.add" | "role_member.remove" | "sample.load" | "saved_query.create" | "saved_query.delete" | "saved_query.restore" | "saved_query.update" | "secret.delete" | "secret.set" | "semantic_model.draft" | "semantic_model.restore" | "semantic_model.set" | "session.create" | "session.delete" | "slack_message.send" | "sync.configure" | "sync.delete" | "sync.pause" | "sync.resume" | "sync.run" | "sync_run.cancel" | "team.create" | "team.delete" | "team.update" | "team_domain.create" | "team_domain.delete" | "team_domain.set" | "team_domain.verify" | "team_settings.update" | "upload_url.create" | "user.create" | "user.delete" | "user.update" | "user_attributes.set" | "webhook_secret.delete" | "webhook_secret.set";
                subject_id: string;
                actor_id: string;
                by_operator: boolean;
                run_id: string | null;
            };
        };
        EventTestEvent: {
            /** @enum {string} */
            type: "event.test";
            timestamp: string;
            data: {
                destination_id: string;
            };
        };
        DocDefinition: {
            version: number;
            schemaVersion?: string;
            /** @enum {string} */
            kind: "pipeline" | "dashboard";
            metadata: {
                name: string;
                description?: string;
            } & {
                [key: string]: unknown;
            };
            requirements?: string[];
            /** @default {} */
            datasets: {
                [key: string]: components["schemas"]["Dataset"];
            };
        } & {
            [key: string]: unknown;
        };
        Dataset: components["schemas"]["PythonDataset"] | components["schemas"]["SqlDataset"] | components["schemas"]["CubeDataset"];
        PythonDataset: {
            description?: string;
            dependsOn?: string[];
            timeoutMs?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            engine: "python";
            code: string;
            inputs?: components["schemas"]["DatasetInput"][];
            requirements?: string[];
            materialize?: components["schemas"]["Materialize"];
            incremental?: components["schemas"]["Incremental"];
            tests?: components["schemas"]["DatasetTest"][];
        } & {
            [key: string]: unknown;
        };
        DatasetInput: {
            ref: string;
            as: string;
        } & {
            [key: string]: unknown;
        };
        Materialize: {
            table: string;
            /**
             * @default replace
             * @enum {string}
             */
            mode: "replace" | "append" | "merge";
            key?: string[];
        };
        Incremental: {
            column: string;
        };
        DatasetTest: components["schemas"]["NotNullTest"] | components["schemas"]["UniqueTest"] | components["schemas"]["AcceptedValuesTest"] | components["schemas"]["RelationshipsTest"] | components["schemas"]["RowCountTest"] | components["schemas"]["SqlTest"];
        NotNullTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "not_null";
            columns: string[];
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        UniqueTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "unique";
            columns: string[];
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        AcceptedValuesTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "accepted_values";
            column: string;
            values: (string | number | boolean)[];
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        RelationshipsTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "relationships";
            column: string;
            to: {
                table: string;
                column: string;
            };
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        RowCountTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "row_count";
            min?: number;
            max?: number;
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        SqlTest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "sql";
            sql: string;
            /**
             * @default error
             * @enum {string}
             */
            severity: "error" | "warn";
        };
        SqlDataset: {
            description?: string;
            dependsOn?: string[];
            timeoutMs?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            engine: "sql";
            sql: string;
            parameters?: components["schemas"]["DatasetParameters"];
            integrationId?: string;
            materialize?: components["schemas"]["Materialize"];
            incremental?: components["schemas"]["Incremental"];
            tests?: components["schemas"]["DatasetTest"][];
        } & {
            [key: string]: unknown;
        };
        DatasetParameters: {
            [key: string]: components["schemas"]["FilterParameter"] | components["schemas"]["ParameterScalar"] | components["schemas"]["ParameterList"] | components["schemas"]["TypedParameter"] | null;
        };
        FilterParameter: {
            /** @enum {string} */
            type: "text" | "integer" | "decimal" | "number" | "boolean" | "date" | "timestamp" | "timestamptz";
            filter: string;
            list?: boolean;
            /** @enum {string} */
            part?: "from" | "to";
        };
        ParameterScalar: string | number | boolean | null;
        ParameterList: components["schemas"]["ParameterScalar"][];
        TypedParameter: {
            /** @enum {string} */
            type: "text" | "integer" | "decimal" | "number" | "boolean" | "date" | "timestamp" | "timestamptz";
            value: components["schemas"]["ParameterScalar"] | components["schemas"]["ParameterList"];
        };
        CubeDataset: {
            description?: string;
            dependsOn?: string[];
            timeoutMs?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            engine: "cube";
            cube?: string;
            integrationId?: string;
        } & {
            [key: string]: unknown;
        };
        Liveness: {
            api: boolean;
        };
        Failure: {
            /** @enum {boolean} */
            success: false;
            message: string;
            error: {
                /** @enum {string} */
                code: "invalid_request" | "invalid_path" | "query_failed" | "connection_failed" | "source_unreachable" | "auth_invalid_token" | "forbidden_invalid_key" | "forbidden_insufficient_permissions" | "heavy_engine_restricted" | "resource_not_found" | "method_not_allowed" | "not_acceptable" | "query_timeout" | "resource_conflict" | "write_committed" | "work_in_progress" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "recipient_not_allowed" | "validation_failed" | "business_quota_exceeded" | "monthly_quota_exceeded" | "too_many_requests" | "query_cancelled" | "write_outcome_unknown" | "internal_error" | "sandbox_unavailable" | "source_unavailable" | "mail_unavailable" | "engine_unavailable";
                title: string;
                status: number;
                retryable: boolean;
                flaws: components["schemas"]["Flaw"][];
                position?: number;
                line?: number;
                column?: number;
                quota?: components["schemas"]["ExceededQuota"];
                conflictsWith?: string[];
            };
            meta: components["schemas"]["Meta"];
        };
        Flaw: {
            pointer: string;
            message: string;
            line?: number;
            column?: number;
            file?: string;
            member?: string;
        };
        ExceededQuota: {
            what: string;
            limit: number;
            used: number;
            resetsAt: string | null;
        };
        Meta: {
            requestId: string;
            durationMs: number;
        };
        Health: {
            network: boolean;
            database: boolean;
            storage: boolean;
            engine: boolean;
            sandbox: boolean;
        };
        CreatedTeam: {
            team: components["schemas"]["Team"];
            admin: components["schemas"]["User"];
            api_key: components["schemas"]["MintedKey"];
        };
        Team: {
            id: string;
            name: string;
            domain: string | null;
            /** @enum {string} */
            plan: "free" | "trial" | "standard" | "enterprise";
            created_at: string;
            updated_at: string;
        };
        User: {
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "member" | "admin";
            is_operator: boolean;
            created_at: string;
            updated_at: string;
        };
        MintedKey: components["schemas"]["ApiKey"] & {
            key: string;
        };
        ApiKey: {
            id: string;
            name: string;
            hint: string;
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[] | null;
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            successor_id: string | null;
        };
        Bootstrap: {
            team_name: string;
            /** @default null */
            domain: string | null;
            name: string;
            email: string;
        };
        SignInAnswer: components["schemas"]["SignedIn"] | components["schemas"]["TeamChoice"];
        SignedIn: components["schemas"]["Me"] & {
            /** @enum {string} */
            kind: "signed_in";
            session: components["schemas"]["Session"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "signed_in";
        };
        Session: {
            id: string;
            /** @enum {string} */
            method: "key" | "link" | "passkey" | "oidc" | "access";
            user_agent: string | null;
            key_id: string | null;
            created_at: string;
            used_at: string;
            expires_at: string;
            is_current: boolean;
        };
        Me: {
            user: {
                id: string;
                name: string;
                email: string;
            };
            team: {
                id: string;
                name: string;
            };
            /** @enum {string} */
            role: "member" | "admin";
            is_operator: boolean;
            rights: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[];
            key_id: string;
            session_id: string | null;
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[] | null;
        };
        TeamChoice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "choose_team";
            teams: components["schemas"]["ChosenTeam"][];
        };
        ChosenTeam: {
            id: string;
            name: string;
        };
        NewSession: components["schemas"]["SignInByKey"] | components["schemas"]["SignInByLink"] | components["schemas"]["SignInByPasskey"] | components["schemas"]["SignInByOidc"] | components["schemas"]["SignInByAccess"];
        SignInByKey: {
            api_key: string;
        };
        SignInByLink: {
            link: string;
        };
        SignInByPasskey: {
            passkey: components["schemas"]["PasskeyAnswer"];
        };
        PasskeyAnswer: {
            token: string;
            response: {
                id: string;
                rawId: string;
                /** @enum {string} */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string | null;
                };
            };
        };
        SignInByOidc: {
            oidc: components["schemas"]["OidcAnswer"];
        };
        OidcAnswer: {
            parameters: string;
        };
        SignInByAccess: {
            /** @enum {boolean} */
            access: true;
            team_id?: string;
        };
        SignInPreview: {
            user: {
                id: string;
                name: string;
                email: string;
            };
            team: {
                id: string;
                name: string;
            };
        };
        SignInCredential: components["schemas"]["SignInByKey"] | components["schemas"]["SignInByLink"];
        RequestedLink: {
            expires_in_seconds: number;
        };
        LinkRequest: {
            email: string;
        };
        PasskeyChallenge: {
            token: string;
            options: {
                [key: string]: unknown;
            };
        };
        OidcStart: {
            url: string;
        };
        NewOidcSignIn: {
            provider_id: string;
        };
        ProvidersOfAddress: {
            providers: components["schemas"]["ProviderOfAddress"][];
        };
        ProviderOfAddress: {
            id: string;
            name: string;
        };
        SignInWays: {
            /** @enum {boolean} */
            api_key: true;
            link: boolean;
            passkey: boolean;
            access: boolean;
        };
        OAuthResourceMetadata: {
            resource: string;
            resource_name: string;
            authorization_servers: string[];
            scopes_supported: string[];
            bearer_methods_supported: string[];
        };
        OAuthFailure: components["schemas"]["Failure"] | components["schemas"]["OAuthError"];
        OAuthError: {
            error: string;
            error_description: string;
        };
        OAuthServerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            revocation_endpoint: string;
            response_types_supported: string[];
            grant_types_supported: string[];
            code_challenge_methods_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            scopes_supported: string[];
            client_id_metadata_document_supported: boolean;
            authorization_response_iss_parameter_supported: boolean;
        };
        OAuthTokens: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            expires_in: number;
            refresh_token: string;
            scope: string;
        };
        DocSchema: {
            [key: string]: unknown;
        };
        QueryResult: {
            success: boolean;
            columns: string[];
            types: components["schemas"]["ResultColumn"][];
            data?: components["schemas"]["ResultRows"] | components["schemas"]["CompactData"] | components["schemas"]["ColumnarData"];
            rowCount: number;
            truncated: boolean;
            timing: {
                durationMs: number;
                phases?: {
                    authenticate?: number;
                    prepare?: number;
                    compile?: number;
                    gate?: number;
                    describe?: number;
                    plan?: number;
                    sign?: number;
                    fetch?: number;
                    prune?: number;
                    wait?: number;
                    setup?: number;
                    run?: number;
                    write?: number;
                    commit?: number;
                };
            };
            meta: {
                requestId: string;
                durationMs: number;
                /** @enum {string} */
                engine?: "trino";
                bytesRead?: number;
                cachedAt?: string;
            };
            query?: {
                [key: string]: unknown;
            };
            annotation?: {
                measures: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                dimensions: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                segments: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                timeDimensions: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
            };
            lastRefreshTime?: string;
            dataSource?: string;
            dbType?: string;
            external?: boolean;
            usedPreAggregations?: {
                [key: string]: unknown;
            };
            slowQuery?: boolean;
            total?: number | null;
            /** @enum {string} */
            queryType?: "compareDateRangeQuery";
            pivotQuery?: {
                [key: string]: unknown;
            };
            results?: components["schemas"]["ComparedResult"][];
            message?: string;
            error?: {
                code: string;
                message: string;
            };
        };
        ResultColumn: {
            name: string;
            type: string;
            kind: string;
        };
        ResultRows: {
            [key: string]: unknown;
        }[];
        CompactData: {
            members: string[];
            dataset: unknown[][];
        };
        ColumnarData: {
            members: string[];
            columns: unknown[][];
        };
        ComparedResult: {
            query?: {
                [key: string]: unknown;
            };
            annotation?: {
                measures: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                dimensions: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                segments: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                timeDimensions: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
            };
            lastRefreshTime?: string;
            dataSource?: string;
            dbType?: string;
            external?: boolean;
            usedPreAggregations?: {
                [key: string]: unknown;
            };
            slowQuery?: boolean;
            total?: number | null;
            data: components["schemas"]["ResultRows"] | components["schemas"]["CompactData"] | components["schemas"]["ColumnarData"];
        };
        EndpointRequest: {
            parameters?: Record<string, never>;
        };
        DashboardDefinition: {
            /** @enum {boolean} */
            success: true;
            name: string;
            title: string;
            version: number;
            filters: {
                [key: string]: unknown;
            }[];
            layout: components["schemas"]["DashboardLayout"];
            datasets: {
                [key: string]: components["schemas"]["DashboardDataset"];
            };
            pages: {
                [key: string]: string;
            };
        };
        DashboardLayout: {
            columns?: number;
            tiles: {
                [key: string]: unknown;
            }[];
        };
        DashboardDataset: {
            answers: boolean;
            parameters: {
                [key: string]: components["schemas"]["OpenParameter"];
            };
        };
        OpenParameter: {
            /** @enum {string} */
            type: "text" | "integer" | "decimal" | "number" | "boolean" | "date" | "timestamp" | "timestamptz";
            list: boolean;
            nullable: boolean;
            default?: unknown;
        };
        DashboardDatasetRequest: {
            parameters?: Record<string, never>;
            filters?: Record<string, never>;
        };
        TrinoInfo: {
            nodeVersion: {
                version: string;
            };
            environment: string;
            coordinator: boolean;
            starting: boolean;
            uptime: string;
        };
        TrinoAnswer: {
            id: string;
            infoUri: string;
            nextUri?: string;
            columns?: {
                name: string;
                type: string;
            }[];
            data?: unknown[][];
            stats: {
                state: string;
            };
            error?: {
                message: string;
                errorCode: number;
                errorName: string;
                errorType: string;
            };
            updateType?: string;
            updateCount?: number;
            warnings?: {
                message: string;
            }[];
        };
        RunningQuery: {
            /** @enum {boolean} */
            success: true;
            request_id: string;
            /** @enum {string} */
            status: "running";
            created_at: string;
            deadline_at: string;
        };
        NewQuery: {
            sql?: string;
            /** @enum {string} */
            dialect?: "duckdb" | "trino";
            /** @enum {string} */
            engine?: "duckdb" | "trino" | "auto";
            parameters?: components["schemas"]["Parameters"];
            cube_query?: components["schemas"]["CubeQuery"];
            integration_id?: string;
            persist?: boolean;
            invalidate?: boolean;
            timeout_ms?: number;
        };
        Parameters: {
            [key: string]: components["schemas"]["ParameterScalar"] | components["schemas"]["ParameterList"] | components["schemas"]["TypedParameter"] | null;
        };
        CubeQuery: {
            measures?: string[];
            dimensions?: string[];
            segments?: string[];
            timeDimensions?: Record<string, never>[];
            filters?: Record<string, never>[];
            order?: Record<string, never> | string[][];
            limit?: number;
            timezone?: string;
        };
        QueryEstimate: {
            /** @enum {boolean} */
            success: true;
            tables: components["schemas"]["EstimatedTable"][];
            total: components["schemas"]["ReadFigures"] & unknown;
            readsDrive: boolean;
            writes: boolean;
            refusal: components["schemas"]["EstimateRefusal"] | null;
        };
        EstimatedTable: {
            schema: string;
            name: string;
            at: string | null;
            figures: components["schemas"]["ReadFigures"] | null;
        };
        ReadFigures: {
            files: number;
            filesTotal: number;
            bytes: number;
            bytesTotal: number;
        };
        EstimateRefusal: {
            message: string;
            flaws: components["schemas"]["Flaw"][];
        };
        IntegrationPage: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["Integration"][];
        };
        Integration: {
            id: string;
            /** @enum {string} */
            type: "postgres" | "mysql" | "lake" | "redshift" | "sqlserver" | "bigquery" | "snowflake" | "cube" | "slack" | "trino";
            name: string;
            /** @enum {string} */
            category: "source" | "destination";
            is_default: boolean;
            created_at: string;
            updated_at: string;
            details: {
                name: string;
                /** @enum {string} */
                type: "postgres" | "mysql" | "lake" | "redshift" | "sqlserver" | "bigquery" | "snowflake" | "cube" | "slack" | "trino";
            } & {
                [key: string]: string;
            };
        };
        SavedIntegration: {
            /** @enum {boolean} */
            success: true;
            integration: components["schemas"]["Integration"];
            warnings: string[];
        };
        NewIntegration: components["schemas"]["NewPostgres"] | components["schemas"]["NewMysql"] | components["schemas"]["NewLake"] | components["schemas"]["NewRedshift"] | components["schemas"]["NewSqlserver"] | components["schemas"]["NewBigquery"] | components["schemas"]["NewSnowflake"] | components["schemas"]["NewCube"] | components["schemas"]["NewSlack"] | components["schemas"]["NewTrino"];
        NewPostgres: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "postgres" | "postgresql";
            name?: string | null;
            credentials: components["schemas"]["DatabaseCredentials"];
        };
        DatabaseCredentials: {
            host: string;
            port: string;
            database: string;
            username: string;
            password: string;
            /** @enum {string} */
            sslmode?: "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
            sslrootcert?: string;
            allow_cleartext_password?: boolean;
        };
        NewMysql: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mysql";
            name?: string | null;
            credentials: components["schemas"]["DatabaseCredentials"];
        };
        NewLake: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lake" | "ducklake";
            name?: string | null;
            credentials?: components["schemas"]["LakeCredentials"];
        };
        /** @default {} */
        LakeCredentials: Record<string, never>;
        NewRedshift: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "redshift";
            name?: string | null;
            credentials: components["schemas"]["DatabaseCredentials"];
        };
        NewSqlserver: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sqlserver" | "mssql";
            name?: string | null;
            credentials: components["schemas"]["DatabaseCredentials"];
        };
        NewBigquery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bigquery";
            name?: string | null;
            credentials: components["schemas"]["BigQueryCredentials"];
        };
        BigQueryCredentials: {
            project_id: string;
            credentials_json: components["schemas"]["KeyFileText"] | components["schemas"]["KeyFileJson"];
            location?: string;
            maximum_bytes_billed?: string;
        };
        KeyFileText: string;
        KeyFileJson: {
            [key: string]: unknown;
        };
        NewSnowflake: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snowflake";
            name?: string | null;
            credentials: components["schemas"]["SnowflakeCredentials"];
        };
        SnowflakeCredentials: {
            account: string;
            username: string;
            password: string;
            warehouse: string;
            database: string;
            role?: string;
        };
        NewCube: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cube";
            name?: string | null;
            credentials: components["schemas"]["CubeCredentials"];
        };
        CubeCredentials: {
            integration_id: string;
        };
        NewSlack: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            name?: string | null;
            credentials: components["schemas"]["SlackCredentials"];
        };
        SlackCredentials: {
            bot_token: string;
        };
        NewTrino: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trino";
            name?: string | null;
            credentials: components["schemas"]["TrinoCredentials"];
            lake_id: string;
            route?: components["schemas"]["TrinoRoute"];
        };
        TrinoCredentials: {
            url: string;
            username: string;
            password?: string;
            token?: string;
            catalog: string;
            sslrootcert?: string;
        };
        /**
         * @default {
         *       "above_bytes": null,
         *       "after_memory_failure": false
         *     }
         */
        TrinoRoute: {
            /** @default null */
            above_bytes: number | null;
            /** @default false */
            after_memory_failure: boolean;
        };
        FoundIntegration: {
            /** @enum {boolean} */
            success: true;
            integration: components["schemas"]["Integration"];
        };
        IntegrationPatch: {
            name?: string;
            credentials?: {
                [key: string]: unknown;
            };
            route?: components["schemas"]["TrinoRoutePatch"];
        };
        TrinoRoutePatch: {
            above_bytes?: number | null;
            after_memory_failure?: boolean;
        };
        TestedIntegration: {
            /** @enum {boolean} */
            success: true;
            connection: components["schemas"]["Connection"];
            warnings: string[];
            hindrances: components["schemas"]["Hindrance"][];
        };
        Connection: {
            product: string;
            version: string;
            tls: boolean;
            can_write: boolean;
        };
        Hindrance: {
            /** @enum {string} */
            kind: "cast" | "order" | "function" | "operator";
            name: string;
            code: string;
            effect: string;
        };
        CreatedLakeKey: components["schemas"]["MintedLakeKey"] & {
            /** @enum {boolean} */
            success: true;
        };
        MintedLakeKey: {
            id: string;
            integration_id: string;
            lake_id: string;
            hint: string;
            created_at: string;
            key: string;
            lake_properties: string;
        };
        FoundSample: {
            /** @enum {boolean} */
            success: true;
            sample: components["schemas"]["Sample"];
        };
        Sample: {
            /** @enum {string} */
            status: "absent" | "loading" | "loaded";
            tables: components["schemas"]["SampleTable"][];
            jobId: string | null;
            error: string | null;
        };
        SampleTable: {
            schema: string;
            name: string;
            rows: number;
        };
        ConfiguredSync: components["schemas"]["FoundSync"] & {
            run_id: string;
            notes: string[];
        };
        SyncConfig: {
            id: string;
            integration_id: string;
            dest_integration_id: string;
            dest_schema: string;
            /** @enum {string} */
            schedule: "hourly" | "every_4_hours" | "every_6_hours" | "every_12_hours" | "daily" | "weekly";
            cron: string | null;
            timezone: string | null;
            tables: string[];
            /** @enum {string} */
            load_method: "merge" | "append" | "overwrite";
            cursors: {
                [key: string]: string;
            };
            append_full_rows: boolean;
            /** @enum {string} */
            status: "active" | "paused";
            next_run_at: string | null;
            version: number;
            created_at: string;
            updated_at: string;
            tables_expanded?: string[];
        };
        FoundSync: {
            /** @enum {boolean} */
            success: true;
            sync_config: components["schemas"]["SyncConfig"];
        };
        NewSync: {
            dest_schema: string;
            /** @enum {string} */
            schedule: "hourly" | "every_4_hours" | "every_6_hours" | "every_12_hours" | "daily" | "weekly";
            cron?: string;
            timezone?: string;
            tables: string[];
            /**
             * @default merge
             * @enum {string}
             */
            load_method: "merge" | "append" | "overwrite";
            dest_integration_id?: string | null;
            cursors?: {
                [key: string]: string;
            };
            /** @default false */
            append_full_rows: boolean;
        };
        SyncPatch: {
            /** @enum {string} */
            status: "active" | "paused";
        };
        SyncRunPage: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["SyncRun"][];
        };
        SyncRun: {
            id: string;
            run_id: string;
            dag_name: string;
            src_integration_id: string;
            dst_integration_id: string;
            /** @enum {string} */
            status: "STARTED" | "SUCCESS" | "FAILED";
            created_at: string;
            updated_at: string;
            details: {
                sync_id: string;
                dest_schema: string;
                /** @enum {string} */
                cause: "schedule" | "manual" | "configuration";
                full: boolean;
                tables: string[] | null;
                /** @enum {string} */
                state: "queued" | "starting" | "running" | "succeeded" | "failed" | "cancelled";
                reason: string | null;
                /** @enum {string|null} */
                cancel_code: "requested" | "job_deleted" | "sync_configured" | "sync_deleted" | "integration_deleted" | "doc_archived" | "owner_gone" | null;
                place: number | null;
                waiting_for: components["schemas"]["WaitingForInSnakeCase"] | null;
                attempt: number;
                attempts_max: number;
                next_try_at: string | null;
                started_at: string | null;
                ended_at: string | null;
                rows_read: number | null;
                rows_written: number | null;
                rows_deleted: number | null;
                bytes_written: number | null;
                rows_estimated: number | null;
                tables_total: number | null;
                tables_done: number | null;
                tables_failed: number | null;
                tables_skipped: number | null;
                warnings: string[];
                warning_codes: ("table_skipped" | "star_without_tables" | "rows_not_written" | "numbers_began_anew")[];
            };
        };
        WaitingForInSnakeCase: {
            /** @enum {string} */
            code: "other_run" | "lake_maintenance" | "team_starts" | "start" | "no_capacity" | "retry" | "platform_away";
            message: string;
            run_id: string | null;
            until: string | null;
        };
        StartedSyncRun: {
            /** @enum {boolean} */
            success: true;
            run_id: string;
            waits_for: string | null;
        };
        NewSyncRun: {
            tables?: string[];
            /** @default false */
            full: boolean;
        };
        FoundSyncRun: {
            /** @enum {boolean} */
            success: true;
            run: components["schemas"]["SyncRunDetail"];
        };
        SyncRunDetail: components["schemas"]["SyncRun"] & {
            tables: components["schemas"]["SyncRunTable"][];
        };
        SyncRunTable: {
            source: string;
            table: string;
            /** @enum {string} */
            phase: "waiting" | "reading" | "comparing" | "writing" | "uploading" | "committing" | "done" | "failed" | "skipped";
            rows_read: number;
            rows_written: number;
            rows_deleted: number;
            bytes_written: number;
            rows_estimated: number | null;
            rows_compared: number;
            method: string;
            notes: string[];
            error: string | null;
        };
        LogLinePage: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LogLine"][];
            total: number;
            limit: number;
            offset: number;
        };
        LogLine: {
            offset: number;
            at: string;
            /** @enum {string} */
            level: "info" | "warning" | "error";
            attempt: number;
            message: string;
        };
        SavedSemanticModel: {
            /** @enum {boolean} */
            success: true;
            model: components["schemas"]["SemanticModelVersion"];
            warnings: string[];
        };
        SemanticModelVersion: {
            version: number;
            digest: string;
            message: string | null;
            restored_from: number | null;
            created_by: string;
            created_at: string;
            file_count: number;
            bytes: number;
        };
        NewSemanticModel: {
            files: components["schemas"]["SemanticModelFile"][];
            message?: string;
            expected_version?: number;
        };
        SemanticModelFile: {
            path: string;
            content: string;
        };
        FoundSemanticModel: {
            /** @enum {boolean} */
            success: true;
            model: components["schemas"]["SemanticModelVersionDetail"];
        };
        SemanticModelVersionDetail: components["schemas"]["SemanticModelVersion"] & {
            files: components["schemas"]["SemanticModelFile"][];
        };
        SemanticModelVersionPage: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ListedSemanticModelVersion"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedSemanticModelVersion: components["schemas"]["SemanticModelVersion"] & {
            created_by_name: string | null;
        };
        SemanticModelRestoration: {
            version: number;
            message?: string;
            expected_version?: number;
        };
        CheckedSemanticModel: {
            /** @enum {boolean} */
            success: true;
            flaws: components["schemas"]["Flaw"][];
            warnings: string[];
        };
        SemanticModelToCheck: {
            files: components["schemas"]["SemanticModelFile"][];
        };
        SemanticDraft: {
            /** @enum {boolean} */
            success: true;
            files: components["schemas"]["SemanticModelFile"][];
            model: components["schemas"]["SemanticModelVersion"] | null;
            warnings: string[];
        };
        NewSemanticDraft: {
            schemas?: string[];
            tables?: string[];
            save?: boolean;
        };
        SemanticMeta: {
            /** @enum {boolean} */
            success: true;
            cubes: ({
                name: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        SemanticSqlPreviews: {
            /** @enum {boolean} */
            success: true;
            statements: components["schemas"]["SemanticSqlPreview"][];
        };
        SemanticSqlPreview: {
            sql: string;
            values: unknown[];
            columns: string[];
            join_path: {
                from: string;
                to: string;
                relationship: string;
                sql: string;
            }[];
            multiplied_cubes: string[];
            compareDateRange?: string;
        };
        SemanticSqlRequest: {
            cube_query: {
                [key: string]: unknown;
            };
        };
        SyncSummaryPage: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["SyncSummary"][];
            total: number;
            limit: number;
            offset: number;
        };
        SyncSummary: {
            id: string;
            integration_id: string;
            dest_integration_id: string;
            dest_schema: string;
            /** @enum {string} */
            schedule: "hourly" | "every_4_hours" | "every_6_hours" | "every_12_hours" | "daily" | "weekly";
            cron: string | null;
            timezone: string | null;
            /** @enum {string} */
            load_method: "merge" | "append" | "overwrite";
            append_full_rows: boolean;
            /** @enum {string} */
            status: "active" | "paused";
            next_run_at: string | null;
            version: number;
            created_at: string;
            updated_at: string;
            source_name: string | null;
            lake_name: string | null;
            last_run: components["schemas"]["NewestSyncRun"] | null;
            last_success_at: string | null;
            data_as_of: string | null;
            age_seconds: number | null;
            due_by: string | null;
            /** @enum {string} */
            health: "ok" | "failing" | "stale" | "never_ran" | "paused";
            problem: string | null;
        };
        NewestSyncRun: {
            run_id: string;
            /** @enum {string} */
            status: "STARTED" | "SUCCESS" | "FAILED";
            /** @enum {string} */
            state: "queued" | "starting" | "running" | "succeeded" | "failed" | "cancelled";
            /** @enum {string} */
            cause: "schedule" | "manual" | "configuration";
            reason: string | null;
            warning_codes: ("table_skipped" | "star_without_tables" | "rows_not_written" | "numbers_began_anew")[];
            created_at: string;
            started_at: string | null;
            ended_at: string | null;
        };
        CubeContinueWait: {
            /** @enum {string} */
            error: "Continue wait";
        };
        CubeResults: {
            /** @enum {string} */
            queryType: "regularQuery" | "compareDateRangeQuery" | "blendingQuery";
            results: components["schemas"]["CubeResult"][];
            pivotQuery: {
                [key: string]: unknown;
            };
            slowQuery: boolean;
        } & {
            [key: string]: unknown;
        };
        CubeResult: {
            query: {
                [key: string]: unknown;
            };
            annotation: {
                [key: string]: unknown;
            };
            data?: unknown;
        } & {
            [key: string]: unknown;
        };
        CubeFailure: {
            error: string;
        };
        CubeQueryRequest: {
            query: components["schemas"]["CubeSentQuery"] | components["schemas"]["CubeSentQueries"];
            queryType?: string;
            cache?: string;
        } & {
            [key: string]: unknown;
        };
        CubeSentQuery: {
            [key: string]: unknown;
        };
        CubeSentQueries: components["schemas"]["CubeSentQuery"][];
        CubeSql: {
            sql: {
                sql: unknown[];
                order: {
                    [key: string]: string;
                };
                memberNames: string[];
                dataSource: string;
                /** @enum {boolean} */
                external: false;
                cacheKeyQueries: unknown[];
                preAggregations: unknown[];
            };
            dataSource: string;
        };
        CubeSqlList: components["schemas"]["CubeSql"][];
        CubeDryRun: {
            /** @enum {string} */
            queryType: "regularQuery" | "compareDateRangeQuery" | "blendingQuery";
            normalizedQueries: {
                [key: string]: unknown;
            }[];
            queryOrder: {
                [key: string]: "asc" | "desc";
            }[];
            transformedQueries: {
                [key: string]: unknown;
            }[];
            pivotQuery: {
                [key: string]: unknown;
            };
        };
        CubeMeta: {
            cubes: ({
                name: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        IcebergConfig: {
            defaults: {
                [key: string]: string;
            };
            overrides: {
                [key: string]: string;
            };
            endpoints: string[];
        };
        IcebergFailure: {
            error: {
                message: string;
                type: string;
                code: number;
            };
        };
        IcebergNamespaces: {
            namespaces: string[][];
        };
        IcebergNamespace: {
            namespace: string[];
            properties: {
                [key: string]: string;
            };
        };
        IcebergTables: {
            identifiers: {
                namespace: string[];
                name: string;
            }[];
        };
        IcebergTable: {
            "metadata-location": string;
            metadata: {
                [key: string]: unknown;
            };
            config: {
                [key: string]: string;
            };
            "storage-credentials": {
                prefix: string;
                config: {
                    [key: string]: string;
                };
            }[];
        };
        IcebergCredentials: {
            "storage-credentials": {
                prefix: string;
                config: {
                    [key: string]: string;
                };
            }[];
        };
        KvStore: {
            data: {
                [key: string]: string;
            };
            version_id: string;
        };
        KvVersion: {
            /** @enum {boolean} */
            success: true;
            version_id: string;
        };
        NewKvVersion: {
            name: string;
            data: {
                [key: string]: string;
            };
            /** @default null */
            existing_version_id: string | null;
        };
        KvDeletion: {
            /** @enum {boolean} */
            success: true;
            deleted: boolean;
        };
        KvStoreRef: {
            name: string;
        };
        SecretKeys: {
            secrets: string[];
        };
        SecretValue: {
            value: string;
        };
        Done: {
            /** @enum {boolean} */
            success: true;
        };
        UploadUrl: {
            upload_url: string;
            gcs_path: string;
            drive_path: string;
            headers: {
                [key: string]: string;
            };
            expires_at: string | null;
            upload_url_expires_at: string;
        };
        NewUploadUrl: {
            path?: string;
            temporary?: boolean | null;
            ttl_days?: number | null;
            filename_hint?: string | null;
        };
        DriveFilePage: {
            files: components["schemas"]["DriveFile"][];
            folders: string[];
            cursor: string | null;
        };
        DriveFile: {
            path: string;
            bytes: number;
            etag: string;
            modified_at: string;
            gcs_path: string;
            drive_path: string;
        };
        DownloadUrl: {
            download_url: string;
            download_url_expires_at: string;
            file: components["schemas"]["DriveFile"];
        };
        NewDownloadUrl: {
            path: string;
        };
        MultipartUpload: {
            upload_id: string;
            path: string;
            gcs_path: string;
            drive_path: string;
            part_bytes_min: number;
            part_bytes_max: number;
            parts_max: number;
            expires_at: string;
        };
        NewMultipartUpload: {
            path: string;
        };
        PartUrls: {
            parts: components["schemas"]["PartUrl"][];
            headers: {
                [key: string]: string;
            };
            upload_url_expires_at: string;
        };
        PartUrl: {
            part_number: number;
            upload_url: string;
        };
        PartNumbers: {
            part_numbers: number[];
        };
        UploadedParts: {
            parts: {
                part_number: number;
                etag: string;
            }[];
        };
        SlackMessage: {
            /** @enum {boolean} */
            ok: true;
            channel: string;
            ts: string;
            message: {
                [key: string]: unknown;
            };
        };
        NewSlackMessage: {
            integration_id: string;
            channel_id: string;
            text: string;
            blocks?: {
                [key: string]: unknown;
            }[];
            thread_ts?: string;
        };
        AcceptedEmailMessages: {
            /** @enum {boolean} */
            success: true;
            messages: {
                id: string;
                to: string;
            }[];
        };
        NewEmailMessage: {
            toEmails: string[];
            subject: string;
            body: string;
        };
        AutomationJobPage: {
            items: components["schemas"]["AutomationJob"][];
            total: number;
            limit: number;
            offset: number;
        };
        AutomationJob: {
            id: string;
            name: string;
            enabled: boolean;
            /** @enum {string|null} */
            pausedReason: "doc_archived" | "owner_gone" | "owner_lacks_right" | null;
            /** @enum {string} */
            resourceType: "doc" | "lake_integration_maintenance" | "delivery";
            resourceId: string;
            /** @enum {string} */
            kind?: "full" | "daily";
            datasetKeys?: string[] | null;
            data?: unknown;
            environmentVariables?: {
                [key: string]: string;
            };
            docAutomation: string | null;
            schedule: components["schemas"]["AutomationSchedule"] | null;
            retry: {
                attempts: number;
                backoffSeconds: number;
            };
            timeoutSeconds: number;
            /** @enum {string} */
            overlap: "skip" | "queue";
            nextRunAt: string | null;
            lastRun: components["schemas"]["LastAutomationRun"] | null;
            owner: {
                id: string;
                name: string | null;
            };
            created_at: string;
            updated_at: string;
        };
        AutomationSchedule: {
            cron: string;
            /** @default UTC */
            timezone: string;
        };
        LastAutomationRun: {
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";
            /** @enum {string} */
            cause: "schedule" | "manual" | "replay";
            scheduledFor: string | null;
            error: string | null;
            created_at: string;
            startedAt: string | null;
            endedAt: string | null;
        };
        NewAutomationJob: components["schemas"]["NewDocJob"] | components["schemas"]["NewLakeMaintenanceJob"] | components["schemas"]["NewDeliveryJob"];
        NewDocJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            resourceType: "doc";
            resourceId: string;
            datasetKeys?: string[];
            data?: unknown;
            environmentVariables?: {
                [key: string]: string;
            };
            name?: string;
            /** @default true */
            enabled: boolean;
            /** @default null */
            schedule: components["schemas"]["AutomationSchedule"] | null;
            /** @default {} */
            retry: {
                attempts?: number;
                backoffSeconds?: number;
            };
            timeoutSeconds?: number;
            /**
             * @default skip
             * @enum {string}
             */
            overlap: "skip" | "queue";
        };
        NewLakeMaintenanceJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            resourceType: "lake_integration_maintenance";
            resourceId: string;
            /**
             * @default full
             * @enum {string}
             */
            kind: "full" | "daily";
            name?: string;
            /** @default true */
            enabled: boolean;
            /** @default null */
            schedule: components["schemas"]["AutomationSchedule"] | null;
            /** @default {} */
            retry: {
                attempts?: number;
                backoffSeconds?: number;
            };
            timeoutSeconds?: number;
            /**
             * @default skip
             * @enum {string}
             */
            overlap: "skip" | "queue";
        };
        NewDeliveryJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            resourceType: "delivery";
            resourceId: string;
            name?: string;
            /** @default true */
            enabled: boolean;
            /** @default null */
            schedule: components["schemas"]["AutomationSchedule"] | null;
            /** @default {} */
            retry: {
                attempts?: number;
                backoffSeconds?: number;
            };
            timeoutSeconds?: number;
            /**
             * @default skip
             * @enum {string}
             */
            overlap: "skip" | "queue";
        };
        AutomationJobPatch: {
            name?: string;
            enabled?: boolean;
            schedule?: components["schemas"]["AutomationSchedule"] | null;
            retry?: {
                attempts?: number;
                backoffSeconds?: number;
            };
            timeoutSeconds?: number;
            /** @enum {string} */
            overlap?: "skip" | "queue";
            datasetKeys?: string[] | null;
            data?: unknown;
            environmentVariables?: {
                [key: string]: string;
            } | null;
            ownerId?: string;
        };
        WrittenAlertWebhook: components["schemas"]["AlertWebhook"] & {
            secret: string | null;
        };
        AlertWebhook: {
            url: string;
            enabled: boolean;
            disabled_at: string | null;
            disabled_reason: string | null;
            previous_secret_until: string | null;
            created_at: string;
            updated_at: string;
        };
        NewAlertWebhook: {
            url: string;
        };
        AlertDelivery: {
            id: string;
            /** @enum {string} */
            type: "sync.failed" | "sync.stale" | "sync.recovered" | "job.failed" | "job.warned" | "job.stale" | "job.recovered" | "alert.test";
            episode_id: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempts: number;
            attempts_max: number;
            next_attempt_at: string | null;
            status: number | null;
            error: string | null;
            payload: {
                [key: string]: unknown;
            };
            created_at: string;
            attempted_at: string | null;
            ended_at: string | null;
        };
        AlertDeliveryPage: {
            items: components["schemas"]["AlertDelivery"][];
            total: number;
            limit: number;
            offset: number;
        };
        AuditPage: {
            items: components["schemas"]["AuditEvent"][];
            cursor: string | null;
        };
        AuditEvent: {
            id: string;
            at: string;
            action: string;
            kind: string;
            subject_id: string;
            actor: {
                id: string;
                name: string | null;
            };
            by_operator: boolean;
            key_id: string | null;
            run_id: string | null;
            request_id: string | null;
            team_id: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        ProcessedAutomationRun: {
            id: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";
            /** @enum {string} */
            cause: "schedule" | "manual" | "replay";
            scheduledFor: string | null;
            error: string | null;
            created_at: string;
            startedAt: string | null;
            endedAt: string | null;
            jobId: string | null;
            /** @enum {string} */
            resourceType: "doc" | "lake_integration_maintenance" | "delivery";
            resourceId: string;
            /** @enum {string} */
            kind?: "full" | "daily";
            datasetKeys?: string[] | null;
            replayOf: string | null;
            attempt: number;
            engineJobId: string | null;
            docRunId: string | null;
            resultsUrl: string | null;
            isCancelling: boolean;
            /** @enum {string|null} */
            cancelCode: "requested" | "job_deleted" | "sync_configured" | "sync_deleted" | "integration_deleted" | "doc_archived" | "owner_gone" | null;
            durationMs: number | null;
            place: number | null;
            waitingFor: components["schemas"]["WaitingFor"] | null;
            progress?: components["schemas"]["MaintenanceProgress"] | null;
            plan?: components["schemas"]["AutomationRunPlan"];
        };
        WaitingFor: {
            /** @enum {string} */
            code: "other_run" | "lake_maintenance" | "team_starts" | "start" | "no_capacity" | "retry" | "platform_away";
            message: string;
            runId: string | null;
            until: string | null;
        };
        MaintenanceProgress: {
            /** @enum {string} */
            kind: "maintenance";
            /** @enum {string} */
            level: "daily" | "full";
            steps: {
                /** @enum {string} */
                step: "merge" | "rewrite" | "expire" | "delete" | "collect" | "statistics";
                /** @enum {string} */
                state: "waiting" | "running" | "done" | "failed" | "skipped";
                done: number;
                files: number;
                bytes: number;
                error: string | null;
            }[];
            tables: {
                schema: string;
                name: string;
                /** @enum {string} */
                step: "merge" | "rewrite";
                /** @enum {string} */
                state: "running" | "done" | "failed" | "left_alone";
                filesBefore: number;
                filesAfter: number;
                bytesBefore: number;
                bytesAfter: number;
                rowsBefore: number;
                rowsAfter: number;
                note: string | null;
            }[];
        };
        AutomationRunPlan: {
            datasets?: {
                key: string;
                engine: string;
                isSelected: boolean;
            }[];
            maintenance?: components["schemas"]["MaintenancePlan"];
            notes: string[];
        };
        MaintenancePlan: {
            merge: components["schemas"]["CompactionPlan"];
            rewrite: components["schemas"]["CompactionPlan"] | null;
            expire: components["schemas"]["PlannedExpiry"] | null;
            delete: {
                files: number;
                bytes: number;
            };
        };
        CompactionPlan: {
            tables: number;
            total: components["schemas"]["PlannedCompaction"];
            worst: components["schemas"]["PlannedTableCompaction"][];
            leftAlone: {
                schema: string;
                name: string;
                reason: string;
            }[];
        };
        PlannedCompaction: {
            groups: number;
            files: number;
            bytes: number;
            rows: number;
            deletedRows: number;
            filesAfter: number;
            bytesAfter: number;
        };
        PlannedTableCompaction: components["schemas"]["PlannedCompaction"] & {
            schema: string;
            name: string;
        };
        PlannedExpiry: {
            snapshots: number;
            files: number;
            bytes: number;
        };
        RunAutomationJob: {
            datasetKeys?: string[];
        };
        AutomationRunPage: {
            items: components["schemas"]["AutomationRun"][];
            total: number;
            limit: number;
            offset: number;
        };
        AutomationRun: {
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";
            /** @enum {string} */
            cause: "schedule" | "manual" | "replay";
            scheduledFor: string | null;
            error: string | null;
            created_at: string;
            startedAt: string | null;
            endedAt: string | null;
            jobId: string | null;
            /** @enum {string} */
            resourceType: "doc" | "lake_integration_maintenance" | "delivery";
            resourceId: string;
            /** @enum {string} */
            kind?: "full" | "daily";
            datasetKeys?: string[] | null;
            replayOf: string | null;
            attempt: number;
            engineJobId: string | null;
            docRunId: string | null;
            resultsUrl: string | null;
            isCancelling: boolean;
            /** @enum {string|null} */
            cancelCode: "requested" | "job_deleted" | "sync_configured" | "sync_deleted" | "integration_deleted" | "doc_archived" | "owner_gone" | null;
            durationMs: number | null;
            place: number | null;
            waitingFor: components["schemas"]["WaitingFor"] | null;
            progress?: components["schemas"]["MaintenanceProgress"] | null;
        };
        SyncedMaintenance: {
            runId: string | null;
            attempt: number | null;
            engineJobId: string | null;
            /** @enum {string|null} */
            engineJob: "running" | "succeeded" | "failed" | "cancelled" | "vanished" | "unreachable" | null;
            /** @enum {string|null} */
            before: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped" | null;
            /** @enum {string|null} */
            after: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped" | null;
            moved: boolean;
            message: string;
        };
        GlossaryTerm: {
            id: string;
            term: string;
            synonyms: string[];
            definition: string;
            links: components["schemas"]["ShownGlossaryLink"][];
            version: number;
            created_by: string;
            created_at: string;
            updated_by: string;
            updated_at: string;
        };
        ShownGlossaryLink: {
            integration_id: string;
            name: string;
            missing: boolean;
        };
        NewGlossaryTerm: {
            term: string;
            /** @default [] */
            synonyms: string[];
            definition: string;
            /** @default [] */
            links: components["schemas"]["GlossaryLink"][];
        };
        GlossaryLink: {
            integration_id: string;
            name: string;
        };
        GlossaryTermPage: {
            items: components["schemas"]["GlossaryTerm"][];
            total: number;
            limit: number;
            offset: number;
        };
        GlossaryTermPatch: {
            term?: string;
            synonyms?: string[];
            definition?: string;
            links?: components["schemas"]["GlossaryLink"][];
        };
        GlossaryTermVersionPage: {
            items: components["schemas"]["ListedGlossaryTermVersion"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedGlossaryTermVersion: components["schemas"]["GlossaryTermVersion"] & {
            created_by_name: string | null;
        };
        GlossaryTermVersion: {
            version: number;
            created_by: string;
            created_at: string;
        };
        GlossaryTermVersionDetail: components["schemas"]["GlossaryTermVersion"] & {
            term: string;
            synonyms: string[];
            definition: string;
            links: components["schemas"]["ShownGlossaryLink"][];
        };
        Knowledge: {
            terms: components["schemas"]["GlossaryTerm"][];
            verified_queries: components["schemas"]["VerifiedQuery"][];
            cut: boolean;
        };
        VerifiedQuery: {
            id: string;
            name: string;
            description: string | null;
            questions: string[];
            version: number;
            sql?: string;
            cube_query?: components["schemas"]["CubeQuery"] & unknown;
            integration_id: string | null;
            parameters: Record<string, never>;
            certified_by: string | null;
            certified_at: string | null;
            certified_by_name: string | null;
            missing: string[];
        };
        MaintenanceSchedulePage: {
            items: components["schemas"]["MaintenanceSchedule"][];
            total: number;
            limit: number;
            offset: number;
        };
        MaintenanceSchedule: {
            integrationId: string;
            /** @enum {string} */
            kind: "full" | "daily";
            jobId: string;
            cron: string;
            timezone: string;
            enabled: boolean;
            nextRunAt: string | null;
            lastRun: components["schemas"]["LastAutomationRun"] | null;
            created_at: string;
            updated_at: string;
        };
        NewMaintenanceSchedule: {
            cron?: string;
            /** @default UTC */
            timezone: string;
            /** @default true */
            enabled: boolean;
        };
        LakeOptions: {
            items: {
                key: string;
                value: string;
                /** @enum {string} */
                scope: "lake" | "schema" | "table";
            }[];
        };
        NewLakeOption: {
            /** @enum {string} */
            key: "target_file_size" | "parquet_row_group_size" | "parquet_compression" | "rewrite_delete_threshold" | "auto_compact" | "expire_older_than" | "retain_last" | "delete_older_than";
            value: string | null;
            /** @default {} */
            scope: {
                schema?: string;
                table?: string;
            };
        };
        SubmittedMaintenance: {
            maintenanceId: string | null;
            engineJobId: string | null;
            integrationId: string;
            /** @enum {string} */
            kind: "full" | "daily";
            /** @enum {string|null} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped" | null;
            plan: components["schemas"]["MaintenancePlan"] | null;
        };
        MaintenanceRequest: {
            /**
             * @default full
             * @enum {string}
             */
            kind: "full" | "daily";
            /** @default false */
            dryRun: boolean;
        };
        Maintenance: {
            maintenanceId: string;
            engineJobId: string | null;
            integrationId: string;
            /** @enum {string} */
            kind: "full" | "daily";
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";
            teamId: string;
            jobId: string | null;
            /** @enum {string} */
            cause: "schedule" | "manual" | "replay";
            attempt: number;
            error: string | null;
            isCancelling: boolean;
            created_at: string;
            startedAt: string | null;
            endedAt: string | null;
            durationMs: number | null;
            place: number | null;
            waitingFor: components["schemas"]["WaitingFor"] | null;
            attempts: components["schemas"]["AutomationAttempt"][];
            progress: components["schemas"]["MaintenanceProgress"] | null;
        };
        AutomationAttempt: {
            id: number;
            runId: string;
            /** @enum {string} */
            state: "running" | "succeeded" | "failed" | "cancelled" | "timed_out";
            engineJobId: string | null;
            docRunId: string | null;
            resultsUrl: string | null;
            error: string | null;
            startedAt: string;
            endedAt: string | null;
            durationMs: number | null;
        };
        MaintenanceLogPage: {
            maintenanceId: string;
            engineJobId: string | null;
            items: components["schemas"]["AutomationLogEntry"][];
            total: number;
            limit: number;
            offset: number;
        };
        AutomationLogEntry: {
            offset: number;
            at: string;
            /** @enum {string} */
            level: "info" | "warning" | "error";
            source: string;
            message: string;
            attempt: number;
        };
        LakeHealthPage: {
            items: components["schemas"]["LakeHealth"][];
            total: number;
            limit: number;
            offset: number;
        };
        LakeHealth: {
            integrationId: string;
            teamId: string;
            name: string;
            /** @enum {string} */
            grade: "good" | "fair" | "poor" | "unknown";
            findings: components["schemas"]["LakeFinding"][];
            measuredAt: string | null;
            figures: components["schemas"]["LakeFigures"] | null;
            orphans: components["schemas"]["LakeOrphans"] | null;
            lastMaintenance: components["schemas"]["LastLakeMaintenance"] | null;
            tables: components["schemas"]["LakeTableHealth"][];
            builtTables: components["schemas"]["BuiltTableHealth"][];
        };
        LakeFinding: {
            /** @enum {string} */
            code: "small_files" | "deleted_rows" | "many_snapshots" | "overdue_deletions" | "orphans" | "maintenance_failed" | "left_alone" | "tests_failed" | "tests_warned" | "not_built";
            /** @enum {string} */
            grade: "good" | "fair" | "poor";
            message: string;
        };
        LakeFigures: {
            files: number;
            smallFiles: number;
            smallFileShare: number;
            deleteFiles: number;
            bytes: number;
            rows: number;
            deletedRows: number;
            deleteRatio: number;
            tables: number;
            snapshots: number;
            oldestSnapshotAt: string;
            scheduled: {
                files: number;
                bytes: number;
                dueFiles: number;
                oldestAt: string | null;
            };
        };
        LakeOrphans: {
            objects: number;
            bytes: number;
            measuredAt: string;
        };
        LastLakeMaintenance: {
            maintenanceId: string;
            /** @enum {string} */
            kind: "full" | "daily";
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";
            endedAt: string | null;
        };
        LakeTableHealth: {
            schema: string;
            name: string;
            /** @enum {string} */
            grade: "good" | "fair" | "poor";
            files: number;
            smallFiles: number;
            smallFileShare: number;
            deleteFiles: number;
            bytes: number;
            rows: number;
            deletedRows: number;
            deleteRatio: number;
        };
        BuiltTableHealth: {
            schema: string;
            name: string;
            docId: string;
            datasetKey: string;
            /** @enum {string} */
            state: "published" | "tests_failed";
            runId: string;
            triedAt: string;
            publishedAt: string | null;
            ageSeconds: number | null;
            overdueSince: string | null;
            testsFailed: number;
            testsWarned: number;
            failedTests: {
                name: string;
                /** @enum {string} */
                severity: "error" | "warn";
            }[];
        };
        LakeStorage: {
            integrationId: string;
            tracked: {
                bytes: number;
                current: number;
                keptForSnapshots: number;
                measuredAt: string;
            };
            actual: components["schemas"]["ActualLakeStorage"] | null;
            difference: components["schemas"]["LakeStorageDifference"] | null;
        };
        ActualLakeStorage: {
            bytes: number;
            objects: number;
            measuredAt: string;
            /** @enum {string} */
            source: "listing" | "collection";
        };
        LakeStorageDifference: {
            bytes: number;
            scheduled: components["schemas"]["LakeObjects"];
            tooYoung: components["schemas"]["LakeObjects"];
            orphaned: components["schemas"]["LakeObjects"];
            changed: number;
        };
        LakeObjects: {
            objects: number;
            bytes: number;
        };
        AutomationAttemptPage: {
            items: components["schemas"]["AutomationAttempt"][];
            total: number;
            limit: number;
            offset: number;
        };
        AutomationLogPage: {
            items: components["schemas"]["AutomationLogEntry"][];
            total: number;
            limit: number;
            offset: number;
        };
        SubmittedTeamMaintenance: {
            teamId: string;
            maintenances: components["schemas"]["SubmittedMaintenance"][];
        };
        TeamMaintenancePage: {
            items: components["schemas"]["Maintenance"][];
            total: number;
            limit: number;
            offset: number;
        };
        WorkPage: {
            items: components["schemas"]["WorkItem"][];
            total: number;
            limit: number;
            offset: number;
        };
        WorkItem: {
            /** @enum {string} */
            kind: "sync" | "job" | "maintenance" | "doc" | "query" | "alert" | "message" | "removal";
            id: string;
            teamId: string;
            subjectId: string;
            /** @enum {string} */
            state: "queued" | "running" | "failed";
            attempt: number;
            error: string | null;
            ageSeconds: number;
            place: number | null;
            waitingFor: components["schemas"]["WaitingFor"] | null;
            created_at: string;
            startedAt: string | null;
            endedAt: string | null;
        };
        PlatformHealth: {
            clock: {
                lastTickAt: string | null;
                ageSeconds: number | null;
            };
            queues: {
                /** @enum {string} */
                kind: "automation_run" | "alert_delivery" | "lake_collection" | "lake_removal" | "outgoing_message" | "rights_lost" | "sync_run" | "team_removal";
                due: number;
                oldestDueAt: string | null;
                ageSeconds: number;
            }[];
            deadLetters: {
                kind: string;
                count: number;
                lastAt: string;
            }[];
            alerts: {
                pending: number;
                oldestAt: string | null;
                ageSeconds: number;
                failedLastDay: number;
            };
        };
        OutboxMails: {
            items: components["schemas"]["OutboxMail"][];
        };
        OutboxMail: {
            id: string;
            to: string;
            subject: string;
            bytes: number;
            sent_at: string;
        };
        EventStatistics: {
            starts_at: string;
            ends_at: string;
            bucket_minutes: number;
            buckets: number;
            percentile_error: number;
            series: components["schemas"]["EventSeries"][];
            truncated: boolean;
        };
        EventSeries: {
            team_id: string;
            type: components["schemas"]["EventType"];
            count: number[];
            average_ms: (number | null)[];
            min_ms: (number | null)[];
            max_ms: (number | null)[];
            p50_ms: (number | null)[];
            p95_ms: (number | null)[];
            p99_ms: (number | null)[];
        };
        /** @enum {string} */
        EventType: "query" | "sync_run" | "webhook_execution" | "dataset_execution" | "automation_run" | "lake_maintenance" | "drive_upload" | "api_request";
        LakeTablePage: {
            items: components["schemas"]["LakeTable"][];
            total: number;
            limit: number;
            offset: number;
        };
        LakeTable: {
            schema_name: string;
            table_name: string;
            comment: string | null;
            row_count: number | null;
            bytes: number | null;
            file_count: number | null;
            delete_file_count: number | null;
            column_count: number;
            last_change: components["schemas"]["TableTouch"];
        };
        TableTouch: {
            snapshot_id: number;
            at: string | null;
        };
        LineagePage: {
            items: components["schemas"]["LineageTable"][];
            total: number;
            limit: number;
            offset: number;
        };
        LineageTable: {
            schema: string;
            name: string;
            doc_id: string;
            dataset_key: string;
            sources: components["schemas"]["LineageSource"][];
            published_at: string | null;
            published_run_id: string | null;
            rows_written: number | null;
            /** @enum {string} */
            state: "published" | "tests_failed";
            tried_at: string;
            run_id: string;
            tests_failed: number;
            tests_warned: number;
        };
        LineageSource: {
            schema: string;
            name: string;
        };
        LakeTableDetail: {
            schema_name: string;
            table_name: string;
            comment: string | null;
            row_count: number | null;
            bytes: number | null;
            file_count: number | null;
            delete_file_count: number | null;
            column_count: number;
            last_change: components["schemas"]["TableTouch"];
            created: components["schemas"]["TableTouch"];
            columns: components["schemas"]["LakeColumn"][];
        };
        LakeColumn: {
            name: string;
            type: string;
            lake_type: string;
            nullable: boolean;
            comment: string | null;
            statistics: components["schemas"]["ColumnStatistics"] | null;
            children: components["schemas"]["LakeColumn"][];
        };
        ColumnStatistics: {
            /** @enum {string} */
            source: "catalog";
            exact: boolean;
            min: string | null;
            max: string | null;
            contains_null: boolean | null;
            contains_nan: boolean | null;
            value_count: number | null;
            null_count: number | null;
            bytes: number | null;
        };
        LineageTableDetail: components["schemas"]["LineageTable"] & {
            columns: components["schemas"]["LineageColumn"][] | null;
        };
        LineageColumn: {
            name: string;
            is_known: boolean;
            sources: {
                schema: string;
                name: string;
                column: string;
            }[];
        };
        TableSnapshotPage: {
            items: components["schemas"]["TableSnapshot"][];
            total: number;
            limit: number;
            offset: number;
        };
        TableSnapshot: {
            snapshot_id: number;
            at: string;
            author: string | null;
            message: string | null;
            /** @enum {string|null} */
            operation: "create" | "append" | "delete" | "update" | "overwrite" | "alter" | "compact" | "none" | null;
            changes: string[];
            rows_added: number | null;
            rows_removed: number | null;
            bytes_added: number | null;
            bytes_removed: number | null;
            files_added: number | null;
            files_removed: number | null;
            columns_changed: components["schemas"]["ColumnChange"][];
        };
        ColumnChange: {
            /** @enum {string} */
            change: "added" | "dropped" | "altered";
            name: string;
            lake_type: string;
            before: components["schemas"]["ColumnBefore"] | null;
        };
        ColumnBefore: {
            name: string;
            lake_type: string;
        };
        ColumnProfile: {
            schema_name: string;
            table_name: string;
            column_name: string;
            type: string;
            lake_type: string;
            nullable: boolean;
            snapshot_id: number;
            /** @enum {string} */
            source: "catalog" | "query" | "catalog+query";
            complete: boolean;
            row_count: components["schemas"]["CountFigure"] | null;
            null_count: components["schemas"]["CountFigure"] | null;
            null_share: components["schemas"]["ShareFigure"] | null;
            min: components["schemas"]["TextFigure"] | null;
            max: components["schemas"]["TextFigure"] | null;
            not_finite_count: components["schemas"]["CountFigure"] | null;
            distinct_count: components["schemas"]["CountFigure"] | null;
            top_values: components["schemas"]["TopValuesFigure"] | null;
            quantiles: components["schemas"]["QuantilesFigure"] | null;
            histogram: components["schemas"]["HistogramFigure"] | null;
            notes: string[];
        };
        CountFigure: {
            value: number;
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        ShareFigure: {
            value: number;
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        TextFigure: {
            value: string;
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        TopValuesFigure: {
            value: components["schemas"]["TopValue"][];
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        TopValue: {
            value: string;
            count: number;
            share: number;
        };
        QuantilesFigure: {
            value: components["schemas"]["Quantile"][];
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        Quantile: {
            at: number;
            value: string;
        };
        HistogramFigure: {
            value: components["schemas"]["Bucket"][];
            /** @enum {string} */
            source: "catalog" | "query";
            exact: boolean;
        };
        Bucket: {
            from: string;
            to: string;
            count: number;
        };
        CatalogHits: {
            items: components["schemas"]["CatalogHit"][];
        };
        CatalogHit: {
            /** @enum {string} */
            kind: "table" | "member" | "saved_query" | "doc" | "term";
            name: string;
            title: string | null;
            description: string | null;
            id: string | null;
            integration_id: string | null;
            columns: string[];
            certified: boolean;
            score: number;
        };
        AccessRolePage: {
            items: components["schemas"]["AccessRole"][];
            total: number;
            limit: number;
            offset: number;
        };
        AccessRole: {
            id: string;
            name: string;
            description: string | null;
            grants: components["schemas"]["AccessGrant"][];
            members: number;
            version: number;
            created_at: string;
            updated_at: string;
        };
        AccessGrant: {
            integration_id: string;
            schema: string;
            /** @default * */
            table: string;
            /** @default [] */
            exclude_columns: string[];
            masks?: Record<string, never>;
            /** @default [] */
            filters: components["schemas"]["AccessFilter"][];
        };
        AccessFilter: Record<string, never>;
        SavedAccessRole: components["schemas"]["AccessRole"] & {
            warnings: string[];
        };
        NewAccessRole: {
            name: string;
            /** @default null */
            description: string | null;
            /** @default [] */
            grants: components["schemas"]["AccessGrant"][];
        };
        AccessRolePatch: {
            name?: string;
            description?: string | null;
            grants?: components["schemas"]["AccessGrant"][];
        };
        AccessRoleMemberPage: {
            items: components["schemas"]["AccessRoleMember"][];
            total: number;
            limit: number;
            offset: number;
        };
        AccessRoleMember: {
            user_id: string;
            name: string;
            email: string;
            added_at: string;
        };
        EffectiveAccess: {
            user_id: string;
            bypass: boolean;
            open: boolean;
            roles: {
                id: string;
                name: string;
                description: string | null;
            }[];
            attributes: {
                [key: string]: components["schemas"]["AttributeValue"];
            };
            capabilities: {
                query: boolean;
                write_lake: boolean;
                manage_roles: boolean;
            };
            integrations: components["schemas"]["IntegrationAccess"][];
            truncated: boolean;
        };
        AttributeValue: string | string[];
        IntegrationAccess: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "postgres" | "mysql" | "lake" | "redshift" | "sqlserver" | "bigquery" | "snowflake" | "cube" | "slack" | "trino";
            /** @enum {string} */
            access: "all" | "granted" | "none";
            grants: components["schemas"]["EffectiveGrant"][];
        };
        EffectiveGrant: {
            role_id: string;
            schema: string;
            table: string;
            exclude_columns: string[];
            masks: {
                [key: string]: components["schemas"]["AccessMask"];
            };
            filters: components["schemas"]["AccessFilter"][] | null;
            hides: boolean;
        };
        AccessMask: string | number | boolean | null;
        UserAttributes: {
            user_id: string;
            attributes: {
                [key: string]: components["schemas"]["AttributeValue"];
            };
            updated_at: string | null;
        };
        UserAttributesChange: {
            attributes: {
                [key: string]: components["schemas"]["AttributeValue"];
            };
        };
        AccessPreview: components["schemas"]["EffectiveAccess"] & {
            tables: components["schemas"]["SeenTable"][] | null;
        };
        SeenTable: {
            schema: string;
            name: string;
            columns: string[];
            restricted: boolean;
        };
        Usage: {
            /** @enum {string} */
            plan: "free" | "trial" | "standard" | "enterprise";
            held: components["schemas"]["UsageHeld"];
            stored: components["schemas"]["UsageStored"];
            month: components["schemas"]["UsageOfMonth"];
            rates: components["schemas"]["UsageRates"];
        };
        UsageHeld: {
            users: components["schemas"]["UsageFigure"];
            keys: components["schemas"]["UsageFigure"];
            integrations: components["schemas"]["UsageFigure"];
            docs: components["schemas"]["UsageFigure"];
            jobs: components["schemas"]["UsageFigure"];
            saved_queries: components["schemas"]["UsageFigure"];
        };
        UsageFigure: {
            used: number;
            limit: number | null;
        };
        UsageStored: {
            drive_bytes: components["schemas"]["MeasuredFigure"];
            lake_bytes: components["schemas"]["MeasuredFigure"] & unknown;
        };
        MeasuredFigure: components["schemas"]["UsageFigure"] & {
            measured_at: string | null;
        };
        UsageOfMonth: {
            month: string;
            resets_at: string;
            queries: components["schemas"]["UsageFigure"] & unknown;
            run_seconds: components["schemas"]["UsageFigure"] & unknown;
            cluster_bytes: components["schemas"]["UsageFigure"] & unknown;
            rows_synced: components["schemas"]["UsageFigure"] & unknown;
        };
        UsageRates: {
            requests_per_minute: number | null;
            requests_per_minute_and_key: number | null;
        };
        Delivery: {
            id: string;
            name: string;
            subject: string | null;
            message: string | null;
            source: components["schemas"]["DeliverySource"];
            to: components["schemas"]["DeliveryRecipient"][];
            files: components["schemas"]["DeliveryFiles"] | null;
            condition: components["schemas"]["RowsCondition"] | components["schemas"]["NoRowsCondition"] | components["schemas"]["ValueCondition"] | components["schemas"]["ChangeCondition"] | null;
            last_run: components["schemas"]["LastDeliveryRun"] | null;
            created_by: string;
            created_at: string;
            updated_at: string;
        };
        DeliverySource: components["schemas"]["QueryDelivered"] | components["schemas"]["DocDelivered"];
        QueryDelivered: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "query";
            query_id: string;
            parameters?: Record<string, never>;
            viz?: Record<string, never>;
        };
        DocDelivered: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "doc";
            doc_id: string;
            dataset_keys?: string[];
        };
        DeliveryRecipient: components["schemas"]["EmailRecipient"] | components["schemas"]["SlackRecipient"] | components["schemas"]["TeamsRecipient"] | components["schemas"]["WebhookRecipient"];
        EmailRecipient: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            channel: "email";
            address: string;
        };
        SlackRecipient: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            channel: "slack";
            integration_id: string;
            channel_id: string;
        };
        TeamsRecipient: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            channel: "teams";
            destination_id: string;
        };
        WebhookRecipient: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            channel: "webhook";
            destination_id: string;
        };
        DeliveryFiles: {
            /** @enum {string} */
            format: "csv" | "parquet";
            /**
             * @default attachment
             * @enum {string}
             */
            by: "attachment" | "link";
            /** @default 7 */
            days: number;
        };
        RowsCondition: {
            /** @enum {string} */
            kind: "rows";
            dataset?: string;
        };
        NoRowsCondition: {
            /** @enum {string} */
            kind: "no_rows";
            dataset?: string;
        };
        ValueCondition: {
            /** @enum {string} */
            kind: "value";
            dataset?: string;
            column: string;
            /** @enum {string} */
            operator: ">" | ">=" | "<" | "<=" | "=" | "!=";
            value: number;
        };
        ChangeCondition: {
            /** @enum {string} */
            kind: "change";
            dataset?: string;
            column: string;
            more_than: number;
            /**
             * @default absolute
             * @enum {string}
             */
            unit: "absolute" | "percent";
        };
        LastDeliveryRun: {
            run_id: string;
            at: string;
            sent: boolean;
            holds: boolean | null;
            value: number | null;
        };
        NewDelivery: {
            name: string;
            /** @default null */
            subject: string | null;
            /** @default null */
            message: string | null;
            source: components["schemas"]["DeliverySource"];
            to: components["schemas"]["DeliveryRecipient"][];
            /** @default null */
            files: components["schemas"]["DeliveryFiles"] | null;
            /** @default null */
            condition: components["schemas"]["RowsCondition"] | components["schemas"]["NoRowsCondition"] | components["schemas"]["ValueCondition"] | components["schemas"]["ChangeCondition"] | null;
        };
        DeliveryPage: {
            items: components["schemas"]["Delivery"][];
            total: number;
            limit: number;
            offset: number;
        };
        DeliveryPatch: {
            name?: string;
            subject?: string | null;
            message?: string | null;
            source?: components["schemas"]["DeliverySource"];
            to?: components["schemas"]["DeliveryRecipient"][];
            files?: components["schemas"]["DeliveryFiles"] | null;
            condition?: components["schemas"]["RowsCondition"] | components["schemas"]["NoRowsCondition"] | components["schemas"]["ValueCondition"] | components["schemas"]["ChangeCondition"] | null;
        };
        WrittenDestination: components["schemas"]["Destination"] & {
            secret: string | null;
        };
        Destination: {
            id: string;
            /** @enum {string} */
            kind: "teams" | "webhook" | "events";
            name: string;
            host: string;
            previous_secret_until: string | null;
            event_types: ("sync_run.started" | "sync_run.ended" | "job_run.started" | "job_run.ended" | "maintenance_run.started" | "maintenance_run.ended" | "doc_run.started" | "doc_run.ended" | "table_tests.ended" | "quota.exceeded" | "access.changed")[] | null;
            description: string | null;
            enabled: boolean;
            disabled_at: string | null;
            /** @enum {string|null} */
            disabled_reason: "requested" | "gone" | "failing" | null;
            failing_since: string | null;
            created_at: string;
            updated_at: string;
        };
        NewDestination: components["schemas"]["NewMessageDestination"] | components["schemas"]["NewEventsDestination"];
        NewMessageDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "teams" | "webhook";
            name: string;
            url: string;
        };
        NewEventsDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "events";
            name: string;
            url: string;
            event_types: ("sync_run.started" | "sync_run.ended" | "job_run.started" | "job_run.ended" | "maintenance_run.started" | "maintenance_run.ended" | "doc_run.started" | "doc_run.ended" | "table_tests.ended" | "quota.exceeded" | "access.changed")[];
            description?: string;
        };
        DestinationPage: {
            items: components["schemas"]["Destination"][];
            total: number;
            limit: number;
            offset: number;
        };
        DestinationPatch: {
            name?: string;
            url?: string;
            event_types?: ("sync_run.started" | "sync_run.ended" | "job_run.started" | "job_run.ended" | "maintenance_run.started" | "maintenance_run.ended" | "doc_run.started" | "doc_run.ended" | "table_tests.ended" | "quota.exceeded" | "access.changed")[];
            description?: string | null;
            enabled?: boolean;
        };
        ReplayedEvents: {
            replayed: number;
            next: string | null;
        };
        EventReplay: {
            from: string;
            until: string;
            states?: ("failed" | "sent" | "unknown")[];
            after?: string;
        };
        DestinationTest: {
            message_id: string;
            /** @enum {string} */
            outcome: "sent" | "refused" | "failed" | "unknown";
            error: string | null;
        };
        MailAddress: {
            id: string;
            address: string;
            /** @enum {string} */
            state: "asked" | "expired" | "confirmed" | "unsubscribed";
            asked_at: string;
            expires_at: string;
            confirmed_at: string | null;
            unsubscribed_at: string | null;
        };
        NewMailAddress: {
            address: string;
        };
        MailAddressPage: {
            items: components["schemas"]["MailAddress"][];
            total: number;
            limit: number;
            offset: number;
        };
        OutgoingMessagePage: {
            items: components["schemas"]["OutgoingMessage"][];
            total: number;
            limit: number;
            offset: number;
        };
        OutgoingMessage: {
            id: string;
            /** @enum {string} */
            channel: "email" | "slack" | "teams" | "webhook" | "events";
            target: string;
            subject: string;
            /** @enum {string} */
            cause: "delivery" | "event" | "api";
            event_type: string | null;
            payload: {
                [key: string]: unknown;
            } | null;
            is_held: boolean;
            delivery_id: string | null;
            run_id: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "failed" | "unknown";
            attempts: number;
            attempts_max: number;
            next_attempt_at: string | null;
            reference: string | null;
            error: string | null;
            note: string | null;
            created_at: string;
            attempted_at: string | null;
            ended_at: string | null;
        };
        MessageAttemptPage: {
            items: components["schemas"]["MessageAttempt"][];
            total: number;
            limit: number;
            offset: number;
        };
        MessageAttempt: {
            attempt: number;
            /** @enum {string} */
            outcome: "sent" | "refused" | "failed" | "unknown";
            status: number | null;
            response: string | null;
            error: string | null;
            started_at: string;
            duration_ms: number | null;
        };
        DocPage: {
            items: components["schemas"]["Doc"][];
            total: number;
            limit: number;
            offset: number;
        };
        Doc: {
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            kind: "pipeline" | "dashboard";
            version: number;
            is_signed: boolean;
            created_by: string;
            created_at: string;
            updated_at: string;
            archived_at: string | null;
        };
        DocVersionPage: {
            items: components["schemas"]["ListedDocVersion"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedDocVersion: components["schemas"]["DocVersion"] & {
            created_by_name: string | null;
        };
        DocVersion: {
            version: number;
            created_by: string;
            created_at: string;
        };
        DocVersionDetail: components["schemas"]["DocVersion"] & {
            /** @enum {string} */
            media_type: "application/json" | "application/yaml";
            text: string;
        };
        WrittenDoc: components["schemas"]["Doc"] & {
            warnings: string[];
        };
        DocDetail: components["schemas"]["Doc"] & {
            /** @enum {string} */
            media_type: "application/json" | "application/yaml";
            text: string;
            definition: {
                [key: string]: unknown;
            };
            warnings: string[];
        };
        DocRunDetail: components["schemas"]["DocRun"] & {
            executions: components["schemas"]["ExecutionSummary"][];
            results: components["schemas"]["DatasetResults"] | null;
        };
        ExecutionSummary: {
            id: string;
            dataset_key: string;
            /** @enum {string} */
            engine: "sql" | "cube" | "python";
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "skipped";
            is_selected: boolean;
            error: string | null;
            result_url: string;
        };
        DatasetResults: {
            [key: string]: components["schemas"]["DatasetResult"];
        };
        DatasetResult: {
            success: boolean;
            executionId: string;
            error: string | null;
        };
        DocRun: {
            id: string;
            doc_id: string;
            doc_name: string;
            doc_version: number;
            /** @enum {string} */
            cause: "webhook" | "manual" | "schedule";
            user_id: string;
            rerun_of: string | null;
            /** @enum {string} */
            state: "starting" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out";
            error: string | null;
            is_cancelling: boolean;
            place: number | null;
            waiting_for: components["schemas"]["WaitingForInSnakeCase"] | null;
            /** @enum {string|null} */
            cancel_code: "requested" | "job_deleted" | "sync_configured" | "sync_deleted" | "integration_deleted" | "doc_archived" | "owner_gone" | null;
            created_at: string;
            started_at: string | null;
            ended_at: string | null;
            deadline_at: string;
        };
        NewDocRun: {
            datasetKeys?: string[];
        };
        DocRunPage: {
            items: components["schemas"]["DocRun"][];
            total: number;
            limit: number;
            offset: number;
        };
        WebhookSecret: {
            secret: string;
        };
        NewWebhookSecret: {
            secret?: string;
        };
        DatasetQuery: {
            filters?: Record<string, never>;
        };
        RunTablePage: {
            items: components["schemas"]["RunTable"][];
            total: number;
            limit: number;
            offset: number;
        };
        RunTable: {
            dataset_key: string;
            execution_id: string;
            schema: string;
            name: string;
            /** @enum {string} */
            mode: "replace" | "append" | "merge";
            is_published: boolean;
            rows: number | null;
            sources: components["schemas"]["TableRef"][];
            tests: components["schemas"]["RunTest"][];
        };
        TableRef: {
            schema: string;
            name: string;
        };
        RunTest: {
            name: string;
            /** @enum {string} */
            severity: "error" | "warn";
            /** @enum {string} */
            state: "passed" | "failed" | "broken" | "unknown";
            rows: number | null;
            error: string | null;
            sample: components["schemas"]["TestSample"] | null;
        };
        TestSample: {
            columns: string[];
            rows: (string | null)[][];
        };
        LinkedFilePage: {
            items: components["schemas"]["LinkedFile"][];
            total: number;
            limit: number;
            offset: number;
        };
        LinkedFile: {
            id: string;
            name: string;
            media_type: string;
            bytes: number;
            made_by: string;
            created_at: string;
            ends_at: string;
            downloads: number;
            downloaded_at: string | null;
        };
        SavedQueryDetail: components["schemas"]["SavedQuery"] & {
            sql?: string;
            cube_query?: components["schemas"]["CubeQuery"] & unknown;
            integration_id: string | null;
            parameters: Record<string, never>;
        };
        SavedQuery: {
            id: string;
            name: string;
            description: string | null;
            tags: string[];
            questions: string[];
            owner_id: string;
            version: number;
            certified: boolean;
            certified_by: string | null;
            certified_at: string | null;
            created_by: string;
            created_at: string;
            updated_at: string;
            archived_at: string | null;
        };
        NewSavedQuery: {
            name: string;
            /** @default null */
            description: string | null;
            /** @default [] */
            tags: string[];
            questions?: string[];
            integration_id?: string | null;
            parameters?: Record<string, never>;
            sql?: string;
            cube_query?: components["schemas"]["CubeQuery"] & unknown;
        };
        SavedQueryPage: {
            items: components["schemas"]["SavedQuery"][];
            total: number;
            limit: number;
            offset: number;
        };
        SavedQueryPatch: {
            name?: string;
            description?: string | null;
            tags?: string[];
            questions?: string[];
            integration_id?: string | null;
            parameters?: Record<string, never>;
            sql?: string;
            cube_query?: components["schemas"]["CubeQuery"] & unknown;
            owner_id?: string;
            certified?: boolean;
        };
        SavedQueryRun: {
            parameters?: Record<string, never>;
            timeout_ms?: number;
            invalidate?: boolean;
        };
        SavedQueryVersionPage: {
            items: components["schemas"]["ListedSavedQueryVersion"][];
            total: number;
            limit: number;
            offset: number;
        };
        ListedSavedQueryVersion: components["schemas"]["SavedQueryVersion"] & {
            created_by_name: string | null;
        };
        SavedQueryVersion: {
            version: number;
            created_by: string;
            created_at: string;
        };
        SavedQueryVersionDetail: components["schemas"]["SavedQueryVersion"] & {
            name: string;
            description: string | null;
            tags: string[];
            questions: string[];
            sql?: string;
            cube_query?: components["schemas"]["CubeQuery"] & unknown;
            integration_id: string | null;
            parameters: Record<string, never>;
        };
        SavedQueryUsePage: {
            items: components["schemas"]["SavedQueryUse"][];
            total: number;
            limit: number;
            offset: number;
        };
        SavedQueryUse: {
            /** @enum {string} */
            kind: "endpoint" | "delivery";
            id: string;
            name: string;
            version: number;
        };
        Endpoint: {
            id: string;
            name: string;
            path: string;
            description: string | null;
            role_id: string;
            publisher_id: string;
            audience: string;
            /** @enum {string} */
            numbers: "exact" | "string";
            rate_per_minute: number;
            takes_tokens: boolean;
            previous_secret_until: string | null;
            created_at: string;
            updated_at: string;
            query_id: string;
            query_version: number;
        };
        NewEndpoint: {
            query_id: string;
            query_version?: number;
            name: string;
            /** @default null */
            description: string | null;
            role_id: string;
            /** @default fjord */
            audience: string;
            /**
             * @default exact
             * @enum {string}
             */
            numbers: "exact" | "string";
            /** @default 600 */
            rate_per_minute: number;
        };
        EndpointPage: {
            items: components["schemas"]["Endpoint"][];
            total: number;
            limit: number;
            offset: number;
        };
        EndpointPatch: {
            query_id?: string;
            query_version?: number;
            description?: string | null;
            role_id?: string;
            audience?: string;
            /** @enum {string} */
            numbers?: "exact" | "string";
            rate_per_minute?: number;
        };
        PublicationSecret: {
            secret: string;
            previous_secret_until: string | null;
        };
        PublicationSecretRotation: {
            /** @default 0 */
            overlap_seconds: number;
        };
        PublicationStatistics: {
            calls: number;
            errors: number;
            cache_hits: number;
            p50_ms: number | null;
            p99_ms: number | null;
            hours: components["schemas"]["PublicationHour"][];
        };
        PublicationHour: {
            starts_at: string;
            calls: number;
            errors: number;
            cache_hits: number;
            p50_ms: number | null;
            p99_ms: number | null;
        };
        MintedEndpointKey: components["schemas"]["EndpointKey"] & {
            key: string;
        };
        EndpointKey: {
            id: string;
            name: string;
            hint: string;
            created_by: string;
            created_at: string;
            expires_at: string | null;
        };
        NewEndpointKey: {
            name: string;
            /** @default null */
            expires_at: string | null;
        };
        EndpointKeyPage: {
            items: components["schemas"]["EndpointKey"][];
            total: number;
            limit: number;
            offset: number;
        };
        PublishedDashboard: {
            id: string;
            name: string;
            path: string;
            description: string | null;
            role_id: string;
            publisher_id: string;
            audience: string;
            /** @enum {string} */
            numbers: "exact" | "string";
            rate_per_minute: number;
            takes_tokens: boolean;
            previous_secret_until: string | null;
            created_at: string;
            updated_at: string;
            doc_id: string;
            doc_version: number;
            frame_ancestors: string[];
            open_parameters: string[];
        };
        NewPublishedDashboard: {
            doc_id: string;
            doc_version?: number;
            name: string;
            /** @default null */
            description: string | null;
            role_id: string;
            /** @default fjord */
            audience: string;
            /**
             * @default exact
             * @enum {string}
             */
            numbers: "exact" | "string";
            /** @default 600 */
            rate_per_minute: number;
            frame_ancestors?: string[];
            /** @default [] */
            open_parameters: string[];
        };
        PublishedDashboardPage: {
            items: components["schemas"]["PublishedDashboard"][];
            total: number;
            limit: number;
            offset: number;
        };
        PublishedDashboardPatch: {
            doc_id?: string;
            doc_version?: number;
            description?: string | null;
            role_id?: string;
            audience?: string;
            /** @enum {string} */
            numbers?: "exact" | "string";
            rate_per_minute?: number;
            frame_ancestors?: string[];
            open_parameters?: string[];
        };
        Execution: {
            id: string;
            run_id: string;
            doc_id: string;
            dataset_key: string;
            /** @enum {string} */
            engine: "sql" | "cube" | "python";
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "skipped";
            error: string | null;
            traceback: string | null;
            started_at: string | null;
            duration_ms: number | null;
            peak_bytes: number | null;
            result: components["schemas"]["ExecutionResult"] | null;
        };
        ExecutionResult: {
            /** @enum {string} */
            kind: "frame" | "records" | "json" | "none" | "table";
            rows: number | null;
            bytes: number;
            columns: components["schemas"]["ExecutionColumn"][] | null;
            download_url: string | null;
        };
        ExecutionColumn: {
            name: string;
            type: string;
        };
        ExecutionLogPage: {
            items: components["schemas"]["ExecutionLogLine"][];
            total: number;
            limit: number;
            offset: number;
        };
        ExecutionLogLine: {
            offset: number;
            at: string;
            /** @enum {string} */
            stream: "stdout" | "stderr" | "system";
            message: string;
        };
        ExecutedWebhook: {
            docId: string;
            docName: string;
            results: components["schemas"]["DatasetResults"];
        };
        AcceptedWebhook: {
            docId: string;
            docName: string;
            runId: string;
            statusUrl: string;
        };
        UserPage: {
            items: components["schemas"]["User"][];
            total: number;
            limit: number;
            offset: number;
        };
        NewUser: {
            name: string;
            email: string;
            /** @enum {string} */
            role: "member" | "admin";
        };
        UserPatch: {
            name?: string;
            /** @enum {string} */
            role?: "member" | "admin";
        };
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            total: number;
            limit: number;
            offset: number;
        };
        NewKey: {
            name: string;
            /** @default null */
            expires_at: string | null;
            /** @default null */
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[] | null;
        };
        RotatedKey: components["schemas"]["MintedKey"] & {
            replaces: components["schemas"]["ApiKey"] & unknown;
        };
        KeyRotation: {
            overlap_seconds: number;
            expires_at?: string | null;
        };
        OwnKeyPage: {
            items: components["schemas"]["ApiKey"][];
            total: number;
            limit: number;
            offset: number;
        };
        NewOwnKey: {
            name: string;
            expires_at: string;
            /** @default null */
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[] | null;
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            total: number;
            limit: number;
            offset: number;
        };
        PasskeyPage: {
            items: components["schemas"]["Passkey"][];
            total: number;
            limit: number;
            offset: number;
        };
        Passkey: {
            id: string;
            name: string;
            host: string;
            created_at: string;
            used_at: string | null;
        };
        NewPasskey: {
            name: string;
            token: string;
            response: {
                id: string;
                rawId: string;
                /** @enum {string} */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    /** @default [] */
                    transports: string[];
                };
            };
        };
        AgentAuthorizationPreview: {
            client: components["schemas"]["AgentClient"];
            redirect_host: string;
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "jobs:read" | "docs:write" | "integrations:write" | "lake:write" | "jobs:write")[];
            ends_with_session: boolean;
            cancel_url: string;
            refusal_url: string | null;
        };
        AgentClient: {
            id: string;
            name: string;
            host: string;
        };
        AgentAuthorizationRequest: {
            client_id: string;
            redirect_uri: string;
            /** @default  */
            response_type: string;
            /** @default  */
            code_challenge: string;
            /** @default  */
            code_challenge_method: string;
            scope?: string;
            state?: string;
            resource?: string;
        };
        GivenAgentAuthorization: {
            redirect_url: string;
        };
        NewAgentAuthorization: {
            request: components["schemas"]["AgentAuthorizationRequest"];
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "jobs:read" | "docs:write" | "integrations:write" | "lake:write" | "jobs:write")[];
        };
        AgentAuthorizationPage: {
            items: components["schemas"]["AgentAuthorization"][];
            total: number;
            limit: number;
            offset: number;
        };
        AgentAuthorization: {
            id: string;
            client_id: string;
            client_name: string;
            scopes: ("query" | "catalog:read" | "integrations:read" | "drive" | "docs:read" | "docs:run" | "store" | "messages:send" | "secrets:read" | "jobs:read" | "queries:write" | "docs:write" | "secrets:write" | "integrations:write" | "lake:write" | "lake:manage" | "jobs:write" | "queries:manage" | "endpoints:manage" | "team:manage" | "platform:operate")[];
            ends_with_session: boolean;
            created_at: string;
            used_at: string | null;
            expires_at: string;
        };
        IdentityPage: {
            items: components["schemas"]["Identity"][];
            total: number;
            limit: number;
            offset: number;
        };
        Identity: {
            id: string;
            issuer: string;
            subject: string;
            created_at: string;
            used_at: string | null;
            consented_at: string | null;
        };
        NewIdentity: {
            parameters: string;
        };
        TeamIdentityProvider: {
            provider: components["schemas"]["IdentityProvider"] | null;
        };
        IdentityProvider: {
            id: string;
            name: string;
            issuer: string;
            client_id: string;
            has_secret: boolean;
            callback_url: string;
            created_at: string;
            updated_at: string;
        };
        NewIdentityProvider: {
            name: string;
            issuer: string;
            client_id: string;
            client_secret?: string | null;
        };
        TeamDomainPage: {
            items: components["schemas"]["TeamDomain"][];
            total: number;
            limit: number;
            offset: number;
        };
        TeamDomain: {
            id: string;
            domain: string;
            record: components["schemas"]["DomainRecord"];
            proven_at: string | null;
            /** @enum {string|null} */
            proven_by: "dns" | "operator" | null;
            created_at: string;
        };
        DomainRecord: {
            name: string;
            /** @enum {string} */
            type: "TXT";
            value: string;
        };
        NewTeamDomain: {
            domain: string;
        };
        TeamSettings: {
            sandbox_internet: boolean;
        };
        TeamSettingsPatch: {
            sandbox_internet: boolean;
        };
        TeamPage: {
            items: components["schemas"]["Team"][];
            total: number;
            limit: number;
            offset: number;
        };
        NewTeam: {
            name: string;
            /** @default null */
            domain: string | null;
            /**
             * @default free
             * @enum {string}
             */
            plan: "free" | "trial" | "standard" | "enterprise";
            admin: {
                name: string;
                email: string;
            };
        };
        TeamPatch: {
            name?: string;
            domain?: string | null;
            /** @enum {string} */
            plan?: "free" | "trial" | "standard" | "enterprise";
        };
        MagicLink: {
            url: string;
            expires_at: string;
            user: {
                id: string;
                name: string;
                email: string;
            };
            mailed: boolean;
        };
        NewMagicLink: {
            /** @default true */
            mail: boolean;
        };
        McpFailure: components["schemas"]["Failure"] | components["schemas"]["McpError"];
        McpError: {
            /** @enum {string} */
            jsonrpc: "2.0";
            id?: unknown;
            error: {
                code: number;
                message: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLiveness: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    createFirstOperator: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Bootstrap"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CreatedTeam"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createSession: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SignInAnswer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    previewSignIn: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInCredential"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SignInPreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    requestSignInLink: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RequestedLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createSignInChallenge: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyChallenge"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    beginOidc: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOidcSignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OidcStart"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getSignInWays: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SignInWays"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    findProviders: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProvidersOfAddress"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMcpResourceMetadata: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OAuthResourceMetadata"];
                };
            };
        };
    };
    getResourceMetadata: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OAuthResourceMetadata"];
                };
            };
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OAuthServerMetadata"];
                };
            };
        };
    };
    grantAgentTokens: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    grant_type: string;
                    client_id: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    resource?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OAuthTokens"];
                };
            };
        };
    };
    revokeAgentTokens: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getDocSchema: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocSchema"];
                };
            };
        };
    };
    fetchLinkedFile: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    showMailConfirmation: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    confirmMailAddress: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showUnsubscribing: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    unsubscribeFromMail: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    subscribeToMail: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getEndpointResult: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                team_id: string;
                endpoint_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    callEndpoint: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                team_id: string;
                endpoint_name: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndpointRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    getDashboardDefinition: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                team_id: string;
                dashboard_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DashboardDefinition"];
                };
            };
        };
    };
    getDashboardDataset: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                team_id: string;
                dashboard_name: string;
                dataset_key: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    askDashboardDataset: {
        parameters: {
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                team_id: string;
                dashboard_name: string;
                dataset_key: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DashboardDatasetRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    getTrinoInfo: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrinoInfo"];
                };
            };
        };
    };
    beginTrinoStatement: {
        parameters: {
            header?: {
                "X-Trino-Catalog"?: string;
                "X-Trino-Schema"?: string;
                "X-Trino-Time-Zone"?: string;
                "X-Trino-Prepared-Statement"?: string;
                "X-Trino-Client-Capabilities"?: string;
            };
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrinoAnswer"];
                };
            };
        };
    };
    getTrinoPage: {
        parameters: {
            path: {
                page_token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrinoAnswer"];
                };
            };
        };
    };
    cancelTrinoStatement: {
        parameters: {
            path: {
                page_token: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    runQuery: {
        parameters: {
            query?: {
                numbers?: "exact" | "string";
                raw?: string;
            };
            header?: {
                "X-Request-Id"?: string;
                Prefer?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuery"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["RunningQuery"];
                };
            };
        };
    };
    estimateQuery: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuery"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryEstimate"];
                };
            };
        };
    };
    getQuery: {
        parameters: {
            path: {
                request_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["RunningQuery"];
                };
            };
        };
    };
    cancelQuery: {
        parameters: {
            path: {
                request_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                type?: string;
                category?: string;
                name?: string;
                id?: string;
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IntegrationPage"];
                };
            };
        };
    };
    createIntegration: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIntegration"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SavedIntegration"];
                };
            };
        };
    };
    getIntegration: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundIntegration"];
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateIntegration: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedIntegration"];
                };
            };
        };
    };
    testIntegration: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TestedIntegration"];
                };
            };
        };
    };
    createLakeKey: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedLakeKey"];
                };
            };
        };
    };
    deleteLakeKey: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getSample: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSample"];
                };
            };
        };
    };
    loadSample: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["FoundSample"];
                };
            };
        };
    };
    getSync: {
        parameters: {
            query?: {
                dest_schema?: string;
                dest_integration_id?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSync"];
                };
            };
        };
    };
    configureSync: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSync"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConfiguredSync"];
                };
            };
        };
    };
    deleteSync: {
        parameters: {
            query?: {
                dest_schema?: string;
                dest_integration_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateSync: {
        parameters: {
            query?: {
                dest_schema?: string;
                dest_integration_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSync"];
                };
            };
        };
    };
    listSyncRuns: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                desc?: true | false;
                status?: "STARTED" | "SUCCESS" | "FAILED";
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SyncRunPage"];
                };
            };
        };
    };
    runSync: {
        parameters: {
            query?: {
                dest_schema?: string;
                dest_integration_id?: string;
            };
            path: {
                integration_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSyncRun"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["StartedSyncRun"];
                };
            };
        };
    };
    getSyncRun: {
        parameters: {
            path: {
                integration_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSyncRun"];
                };
            };
        };
    };
    listSyncRunLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                integration_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LogLinePage"];
                };
            };
        };
    };
    cancelSyncRun: {
        parameters: {
            path: {
                integration_id: string;
                run_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["FoundSyncRun"];
                };
            };
        };
    };
    getSemanticModel: {
        parameters: {
            query?: {
                path?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSemanticModel"];
                    "application/yaml": string;
                };
            };
        };
    };
    setSemanticModel: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSemanticModel"];
                "application/yaml": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedSemanticModel"];
                };
            };
        };
    };
    listSemanticModelVersions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SemanticModelVersionPage"];
                };
            };
        };
    };
    getSemanticModelVersion: {
        parameters: {
            path: {
                integration_id: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FoundSemanticModel"];
                };
            };
        };
    };
    getSemanticModelDiff: {
        parameters: {
            query?: {
                against?: number;
            };
            path: {
                integration_id: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        version: number;
                        against: number;
                        files: {
                            path: string;
                            /** @enum {string} */
                            change: "added" | "removed" | "changed";
                            diff: string | null;
                        }[];
                        members: {
                            member: string;
                            /** @enum {string} */
                            change: "added" | "removed" | "changed";
                        }[] | null;
                        truncated: boolean;
                    };
                };
            };
        };
    };
    restoreSemanticModel: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SemanticModelRestoration"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedSemanticModel"];
                };
            };
        };
    };
    checkSemanticModel: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SemanticModelToCheck"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckedSemanticModel"];
                };
            };
        };
    };
    draftSemanticModel: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSemanticDraft"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SemanticDraft"];
                };
            };
        };
    };
    getSemanticMeta: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SemanticMeta"];
                };
            };
        };
    };
    getSemanticSql: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SemanticSqlRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SemanticSqlPreviews"];
                };
            };
        };
    };
    listSyncs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                integration_id?: string;
                dest_integration_id?: string;
                status?: "active" | "paused";
                health?: "ok" | "failing" | "stale" | "never_ran" | "paused";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SyncSummaryPage"];
                };
            };
        };
    };
    getIcebergConfig: {
        parameters: {
            query?: {
                warehouse?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergConfig"];
                };
            };
        };
    };
    listIcebergNamespaces: {
        parameters: {
            query?: {
                parent?: string;
            };
            path: {
                warehouse: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergNamespaces"];
                };
            };
        };
    };
    getIcebergNamespace: {
        parameters: {
            path: {
                warehouse: string;
                schema_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergNamespace"];
                };
            };
        };
    };
    listIcebergTables: {
        parameters: {
            path: {
                warehouse: string;
                schema_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergTables"];
                };
            };
        };
    };
    loadIcebergTable: {
        parameters: {
            query?: {
                snapshots?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                warehouse: string;
                schema_name: string;
                table_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergTable"];
                };
            };
        };
    };
    renewIcebergCredentials: {
        parameters: {
            path: {
                warehouse: string;
                schema_name: string;
                table_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IcebergCredentials"];
                };
            };
        };
    };
    getKvStore: {
        parameters: {
            path: {
                store_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KvStore"];
                };
            };
        };
    };
    setKvStore: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKvVersion"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KvVersion"];
                };
            };
        };
    };
    deleteKvStore: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KvStoreRef"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KvDeletion"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecretKeys"];
                };
            };
        };
    };
    getSecret: {
        parameters: {
            path: {
                secret_key: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecretValue"];
                };
            };
        };
    };
    setSecret: {
        parameters: {
            path: {
                secret_key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretValue"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            path: {
                secret_key: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    createUploadUrl: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUploadUrl"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UploadUrl"];
                };
            };
        };
    };
    listDriveFiles: {
        parameters: {
            query?: {
                prefix?: string;
                delimiter?: "/";
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DriveFilePage"];
                };
            };
        };
    };
    getDriveFile: {
        parameters: {
            query: {
                path: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DriveFile"];
                };
            };
        };
    };
    deleteDriveFile: {
        parameters: {
            query: {
                path: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    createDownloadUrl: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDownloadUrl"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DownloadUrl"];
                };
            };
        };
    };
    createMultipartUpload: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMultipartUpload"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["MultipartUpload"];
                };
            };
        };
    };
    signUploadParts: {
        parameters: {
            path: {
                upload_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PartNumbers"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartUrls"];
                };
            };
        };
    };
    completeMultipartUpload: {
        parameters: {
            path: {
                upload_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadedParts"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DriveFile"];
                };
            };
        };
    };
    cancelMultipartUpload: {
        parameters: {
            path: {
                upload_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    sendSlackMessage: {
        parameters: {
            header?: {
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSlackMessage"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SlackMessage"];
                };
            };
        };
    };
    sendEmailMessage: {
        parameters: {
            header?: {
                "Idempotency-Key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEmailMessage"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["AcceptedEmailMessages"];
                };
            };
        };
    };
    listAutomationJobs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                orderedBy?: "created_at";
                ascending?: true | false;
                id?: string[];
                enabled?: true | false;
                resourceId?: string;
                resourceType?: "doc" | "lake_integration_maintenance" | "delivery";
                name?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationJobPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createAutomationJob: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAutomationJob"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getAutomationJob: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteAutomationJob: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateAutomationJob: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationJobPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getAlertWebhook: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AlertWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setAlertWebhook: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlertWebhook"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenAlertWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteAlertWebhook: {
        parameters: {
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    setAlertSecret: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenAlertWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    testAlertWebhook: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AlertDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAlertDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                state?: "pending" | "delivered" | "failed";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AlertDeliveryPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                actor_id?: string;
                action?: string;
                kind?: string;
                subject_id?: string;
                from?: string;
                to?: string;
                operators?: true | false;
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AuditPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    processAutomationJob: {
        parameters: {
            query?: {
                dryRun?: true | false;
            };
            path: {
                job_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAutomationJob"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProcessedAutomationRun"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAutomationRuns: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                orderedBy?: "created_at";
                ascending?: true | false;
                state?: ("queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped")[];
                createdFrom?: string;
                createdBefore?: string;
            };
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationRunPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getAutomationRun: {
        parameters: {
            path: {
                job_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationRun"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelAutomationRun: {
        parameters: {
            path: {
                job_id: string;
                run_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationRun"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replayAutomationRun: {
        parameters: {
            path: {
                job_id: string;
                run_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationRun"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    syncMaintenance: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SyncedMaintenance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listGlossaryTerms: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTermPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createGlossaryTerm: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGlossaryTerm"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTerm"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getGlossaryTerm: {
        parameters: {
            path: {
                term_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTerm"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteGlossaryTerm: {
        parameters: {
            path: {
                term_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateGlossaryTerm: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                term_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GlossaryTermPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTerm"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listGlossaryTermVersions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                term_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTermVersionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getGlossaryTermVersion: {
        parameters: {
            path: {
                term_id: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GlossaryTermVersionDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getKnowledge: {
        parameters: {
            query?: {
                question?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Knowledge"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMaintenanceSchedules: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceSchedulePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMaintenanceSchedule: {
        parameters: {
            query?: {
                kind?: "full" | "daily";
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceSchedule"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setMaintenanceSchedule: {
        parameters: {
            query?: {
                kind?: "full" | "daily";
            };
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMaintenanceSchedule"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceSchedule"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteMaintenanceSchedule: {
        parameters: {
            query?: {
                kind?: "full" | "daily";
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listLakeOptions: {
        parameters: {
            query?: {
                schema?: string;
                table?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeOptions"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setLakeOption: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLakeOption"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeOptions"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMaintenance: {
        parameters: {
            query?: {
                engineJobId?: string;
                maintenanceId?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Maintenance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    runMaintenance: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MaintenanceRequest"] | null;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SubmittedMaintenance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelMaintenance: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Maintenance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLastFailedMaintenanceLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                ascending?: true | false;
                level?: ("info" | "warning" | "error")[];
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMaintenanceLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                ascending?: true | false;
                level?: ("info" | "warning" | "error")[];
            };
            path: {
                integration_id: string;
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLakeHealth: {
        parameters: {
            query?: {
                teamIds?: string[];
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeHealthPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLakeHealth: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeHealth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLakeStorage: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeStorage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAutomationAttempts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                orderedBy?: "created_at";
                ascending?: true | false;
            };
            path: {
                job_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationAttemptPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAutomationLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                orderedBy?: "created_at";
                ascending?: true | false;
                level?: ("info" | "warning" | "error")[];
            };
            path: {
                job_id: string;
                run_id: string;
                attempt_id: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AutomationLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    followAutomationRun: {
        parameters: {
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                job_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
            204: {
                content?: never;
            };
        };
    };
    getTeamMaintenance: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                team_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamMaintenancePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    runTeamMaintenance: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MaintenanceRequest"] | null;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SubmittedTeamMaintenance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLastFailedTeamMaintenanceLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                ascending?: true | false;
                level?: ("info" | "warning" | "error")[];
            };
            path: {
                team_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTeamMaintenanceLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                ascending?: true | false;
                level?: ("info" | "warning" | "error")[];
            };
            path: {
                team_id: string;
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MaintenanceLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWork: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                kind?: ("sync" | "job" | "maintenance" | "doc" | "query" | "alert" | "message" | "removal")[];
                state?: ("queued" | "running" | "failed")[];
                teamId?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WorkPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getPlatformHealth: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PlatformHealth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listOutboxMails: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OutboxMails"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readOutboxMail: {
        parameters: {
            path: {
                mail_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    listEventStatistics: {
        parameters: {
            query: {
                types: components["schemas"]["EventType"][];
                teamIds: string[];
                bucketMinutes?: number;
                windowHours?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EventStatistics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getEventStatistics: {
        parameters: {
            query?: {
                teamId?: string;
                bucketMinutes?: number;
                windowHours?: number;
            };
            path: {
                type: components["schemas"]["EventType"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EventStatistics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLakeTables: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeTablePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLineage: {
        parameters: {
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LineagePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLakeTable: {
        parameters: {
            path: {
                integration_id: string;
                schema_name: string;
                table_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LakeTableDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getTableLineage: {
        parameters: {
            path: {
                integration_id: string;
                schema_name: string;
                table_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LineageTableDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTableSnapshots: {
        parameters: {
            query?: {
                limit?: number;
            };
            path: {
                integration_id: string;
                schema_name: string;
                table_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TableSnapshotPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getColumnProfile: {
        parameters: {
            path: {
                integration_id: string;
                schema_name: string;
                table_name: string;
                column_name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ColumnProfile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    exportLakeCatalog: {
        parameters: {
            query?: {
                format?: "1.0" | "0.3";
                data_path?: string;
            };
            path: {
                integration_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/vnd.sqlite3": string;
                };
            };
        };
    };
    searchCatalog: {
        parameters: {
            query: {
                text: string;
                kind?: ("table" | "member" | "saved_query" | "doc" | "term")[];
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CatalogHits"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessRolePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createRole: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccessRole"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedAccessRole"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getRole: {
        parameters: {
            path: {
                role_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessRole"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                role_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateRole: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                role_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRolePatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedAccessRole"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listRoleMembers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                role_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessRoleMemberPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    addRoleMember: {
        parameters: {
            path: {
                role_id: string;
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    removeRoleMember: {
        parameters: {
            path: {
                role_id: string;
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getMyAccess: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EffectiveAccess"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getUserAttributes: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserAttributes"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setUserAttributes: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserAttributesChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserAttributes"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    previewAccess: {
        parameters: {
            query?: {
                integration_id?: string;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessPreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getUsage: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Usage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeliveryPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createDelivery: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDelivery"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            path: {
                delivery_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteDelivery: {
        parameters: {
            path: {
                delivery_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateDelivery: {
        parameters: {
            path: {
                delivery_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDestinations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DestinationPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createDestination: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDestination"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenDestination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDestination: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Destination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteDestination: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateDestination: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DestinationPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Destination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setDestinationSecret: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenDestination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replayEvents: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventReplay"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ReplayedEvents"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    testDestination: {
        parameters: {
            path: {
                destination_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DestinationTest"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMailAddresses: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MailAddressPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createMailAddress: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMailAddress"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MailAddress"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteMailAddress: {
        parameters: {
            path: {
                address_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                state?: "pending" | "sent" | "failed" | "unknown";
                delivery_id?: string;
                destination_id?: string;
                event_type?: "sync_run.started" | "sync_run.ended" | "job_run.started" | "job_run.ended" | "maintenance_run.started" | "maintenance_run.ended" | "doc_run.started" | "doc_run.ended" | "table_tests.ended" | "quota.exceeded" | "access.changed";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OutgoingMessagePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMessage: {
        parameters: {
            path: {
                message_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OutgoingMessage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMessageAttempts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                message_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MessageAttemptPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replayMessage: {
        parameters: {
            path: {
                message_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OutgoingMessage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDocs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                name?: string;
                kind?: "pipeline" | "dashboard";
                archived?: "true" | "false" | "all";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createDoc: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocDefinition"];
                "application/yaml": string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenDoc"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDocVersions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                doc_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocVersionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDocVersion: {
        parameters: {
            path: {
                doc_id: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocVersionDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDoc: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                    "application/yaml": string;
                };
            };
        };
    };
    updateDoc: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                doc_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocDefinition"];
                "application/yaml": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WrittenDoc"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteDoc: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    restoreDoc: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Doc"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    runDoc: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewDocRun"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocRunDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listDocRuns: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                doc_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocRunPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDocRun: {
        parameters: {
            path: {
                doc_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocRunDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelDocRun: {
        parameters: {
            path: {
                doc_id: string;
                run_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocRunDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setWebhookSecret: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewWebhookSecret"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteWebhookSecret: {
        parameters: {
            path: {
                doc_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    queryDataset: {
        parameters: {
            query?: {
                numbers?: "exact" | "string";
            };
            path: {
                doc_id: string;
                dataset_key: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DatasetQuery"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    rerunDocRun: {
        parameters: {
            path: {
                doc_id: string;
                run_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DocRunDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listRunTables: {
        parameters: {
            path: {
                doc_id: string;
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RunTablePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLinkedFiles: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LinkedFilePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteLinkedFile: {
        parameters: {
            path: {
                linked_file_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listSavedQueries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                tag?: string;
                owner_id?: string;
                certified?: true | false;
                archived?: "true" | "false" | "all";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createSavedQuery: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSavedQuery"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getSavedQuery: {
        parameters: {
            path: {
                query_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteSavedQuery: {
        parameters: {
            path: {
                query_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateSavedQuery: {
        parameters: {
            header?: {
                "If-Match"?: string;
            };
            path: {
                query_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedQueryPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    restoreSavedQuery: {
        parameters: {
            path: {
                query_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQuery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    runSavedQuery: {
        parameters: {
            query?: {
                numbers?: "exact" | "string";
            };
            path: {
                query_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SavedQueryRun"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    listSavedQueryVersions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                query_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryVersionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getSavedQueryVersion: {
        parameters: {
            path: {
                query_id: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryVersionDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSavedQueryUses: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                query_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SavedQueryUsePage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EndpointPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createEndpoint: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEndpoint"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Endpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    describeEndpoints: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getEndpoint: {
        parameters: {
            path: {
                endpoint_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Endpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteEndpoint: {
        parameters: {
            path: {
                endpoint_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateEndpoint: {
        parameters: {
            path: {
                endpoint_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Endpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setEndpointSecret: {
        parameters: {
            path: {
                endpoint_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublicationSecretRotation"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublicationSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getEndpointStatistics: {
        parameters: {
            query?: {
                hours?: number;
            };
            path: {
                endpoint_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublicationStatistics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listEndpointKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                endpoint_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EndpointKeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createEndpointKey: {
        parameters: {
            path: {
                endpoint_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEndpointKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MintedEndpointKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteEndpointKey: {
        parameters: {
            path: {
                endpoint_id: string;
                key_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listPublishedDashboards: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublishedDashboardPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createPublishedDashboard: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPublishedDashboard"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublishedDashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getPublishedDashboard: {
        parameters: {
            path: {
                published_dashboard_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublishedDashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePublishedDashboard: {
        parameters: {
            path: {
                published_dashboard_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updatePublishedDashboard: {
        parameters: {
            path: {
                published_dashboard_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishedDashboardPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublishedDashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setPublishedDashboardSecret: {
        parameters: {
            path: {
                published_dashboard_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublicationSecretRotation"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublicationSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getPublishedDashboardStatistics: {
        parameters: {
            query?: {
                hours?: number;
            };
            path: {
                published_dashboard_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PublicationStatistics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getExecution: {
        parameters: {
            path: {
                execution_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Execution"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listExecutionLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                execution_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ExecutionLogPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    executeWebhook: {
        parameters: {
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
                "webhook-id"?: string;
                "webhook-timestamp"?: string;
                "webhook-signature"?: string;
            };
            path: {
                doc_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookDelivery"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ExecutedWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            202: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AcceptedWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Me"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createUser: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["User"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getUser: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["User"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateUser: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["User"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ApiKeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MintedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getKey: {
        parameters: {
            path: {
                user_id: string;
                key_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteKey: {
        parameters: {
            path: {
                user_id: string;
                key_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    rotateKey: {
        parameters: {
            path: {
                user_id: string;
                key_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RotatedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listOwnKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnKeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createOwnKey: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOwnKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MintedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteOwnKey: {
        parameters: {
            path: {
                key_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SessionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUserSessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SessionPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            path: {
                session_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createPasskey: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Passkey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUserPasskeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createPasskeyChallenge: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyChallenge"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            path: {
                passkey_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    previewAgentAuthorization: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentAuthorizationRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AgentAuthorizationPreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAgentAuthorizations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AgentAuthorizationPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createAgentAuthorization: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgentAuthorization"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GivenAgentAuthorization"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUserAgentAuthorizations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AgentAuthorizationPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteAgentAuthorization: {
        parameters: {
            path: {
                authorization_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["IdentityPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createIdentity: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIdentity"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Identity"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUserIdentities: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["IdentityPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    beginIdentity: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OidcStart"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteIdentity: {
        parameters: {
            path: {
                identity_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getIdentityProvider: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamIdentityProvider"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setIdentityProvider: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIdentityProvider"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["IdentityProvider"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteIdentityProvider: {
        parameters: {
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listTeamDomains: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamDomainPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createTeamDomain: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeamDomain"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamDomain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    verifyTeamDomain: {
        parameters: {
            path: {
                domain_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamDomain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteTeamDomain: {
        parameters: {
            path: {
                domain_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getTeamSettings: {
        parameters: {
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamSettings"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateTeamSettings: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamSettingsPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamSettings"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                orderBy?: "created_at" | "updated_at" | "domain" | "plan";
                ascending?: true | false;
                search?: string;
                plans?: ("free" | "trial" | "standard" | "enterprise")[];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createTeam: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeam"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CreatedTeam"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getTeam: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Team"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteTeam: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    updateTeam: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Team"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setTeamDomain: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeamDomain"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["TeamDomain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createMagicLink: {
        parameters: {
            path: {
                team_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewMagicLink"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MagicLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    callMcp: {
        parameters: {
            query?: {
                read_only?: "0" | "1" | "false" | "true";
                tools?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": Record<string, never>;
                    "text/event-stream": string;
                };
            };
            202: {
                content?: never;
            };
        };
    };
    syncFailed: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    syncStale: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    syncRecovered: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobFailed: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobStale: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobWarned: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobRecovered: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    alertTest: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestAlert"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    delivery: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryPayload"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    syncRunStartedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncRunStartedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    syncRunEndedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncRunEndedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobRunStartedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRunStartedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    jobRunEndedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRunEndedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    maintenanceRunStartedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceRunStartedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    maintenanceRunEndedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceRunEndedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    docRunStartedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocRunStartedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    docRunEndedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocRunEndedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    tableTestsEndedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableTestsEndedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    quotaExceededEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaExceededEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    accessChangedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessChangedEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
    eventTestEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventTestEvent"];
            };
        };
        responses: {
            410: {
                content?: never;
            };
            "2XX": {
                content?: never;
            };
        };
    };
}
