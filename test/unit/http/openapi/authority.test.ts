// Who may ask for what: every operation of the document and every route of containers, by every kind of caller. An
// operation that is not in the table fails here, so that nobody adds one without saying whose it is.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../../../src/app.ts";
import { RIGHTS, ROLES, type Right } from "../../../../src/core/scope.ts";
import type { Permission } from "../../../../src/http/operation.ts";
import { mintSuffix } from "../../../../src/features/teams/keys/key.ts";
import { mintToken, type Token } from "../../../../src/platform/crypto/token.ts";
import {
  hasOldStatuses,
  isPublished,
  listOperations,
  messageIn,
  type Operation,
} from "../../../support/unit/conformance.ts";
import { addCluster, addLakeKey } from "../../../support/unit/iceberg/clusters.ts";
import { call, send, type Answer } from "../../../support/unit/http.ts";
import { addTeamRow, newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { createKey } from "../../../../src/features/teams/keys/create.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** `own_check`: createFirstOperator takes the deployment's own secret, what is published its own keys and tokens. */
const OPERATIONS: Record<Permission, string[]> = {
  everybody: words(
    "getLiveness getHealth createSession previewSignIn signOut requestSignInLink createSignInChallenge beginOidc findProviders getSignInWays getDocSchema getTrinoInfo fetchLinkedFile showMailConfirmation confirmMailAddress showUnsubscribing unsubscribeFromMail subscribeToMail " +
      "getResourceMetadata getMcpResourceMetadata getAuthorizationServerMetadata grantAgentTokens revokeAgentTokens",
  ),
  any_key: [
    "callMcp",
    "getMe",
    "getMyAccess",
    "previewAgentAuthorization",
    "createAgentAuthorization",
    "listAgentAuthorizations",
    "deleteAgentAuthorization",
    "listSessions",
    "deleteSession",
    "listOwnKeys",
    "createOwnKey",
    "deleteOwnKey",
    "listPasskeys",
    "createPasskeyChallenge",
    "createPasskey",
    "deletePasskey",
    "getIdentityProvider",
    "listIdentities",
    "beginIdentity",
    "createIdentity",
    "deleteIdentity",
  ],
  own_check: words(
    "createFirstOperator getEndpointResult callEndpoint getDashboardDefinition getDashboardDataset askDashboardDataset",
  ),
  query: words(
    "getSemanticMeta getSemanticSql runQuery estimateQuery cancelQuery getQuery queryDataset " +
      "beginTrinoStatement getTrinoPage cancelTrinoStatement " +
      "listGlossaryTerms getGlossaryTerm listGlossaryTermVersions getGlossaryTermVersion getKnowledge " +
      "listSavedQueries getSavedQuery runSavedQuery listSavedQueryUses listSavedQueryVersions getSavedQueryVersion " +
      "getCubeMeta getCubeMetaOfModel loadCubeQuery loadCubeQueryByPost loadCubeQueryOfModel loadCubeQueryByPostOfModel " +
      "subscribeCubeQuery subscribeCubeQueryByPost subscribeCubeQueryOfModel subscribeCubeQueryByPostOfModel " +
      "getCubeSql getCubeSqlByPost getCubeSqlOfModel getCubeSqlByPostOfModel " +
      "dryRunCubeQuery dryRunCubeQueryByPost dryRunCubeQueryOfModel dryRunCubeQueryByPostOfModel",
  ),
  // The right `query`, or the key of a cluster.
  iceberg: words(
    "getIcebergConfig listIcebergNamespaces getIcebergNamespace listIcebergTables loadIcebergTable " +
      "renewIcebergCredentials",
  ),
  "catalog:read": words(
    "searchCatalog listLakeTables getLakeTable listTableSnapshots getColumnProfile listLineage getTableLineage",
  ),
  "integrations:read": words(
    "listIntegrations getIntegration getSample getSync listSyncs listSyncRuns getSyncRun listSyncRunLogs",
  ),
  drive: words(
    "createUploadUrl listDriveFiles getDriveFile deleteDriveFile createDownloadUrl createMultipartUpload signUploadParts completeMultipartUpload cancelMultipartUpload",
  ),
  "docs:read": words(
    "listDocs getDoc listDocVersions getDocVersion listDocRuns getDocRun getExecution listExecutionLogs getTeamSettings listRunTables",
  ),
  "docs:run": words("runDoc cancelDocRun executeWebhook rerunDocRun"),
  store: words("getKvStore setKvStore deleteKvStore"),
  "messages:send": words("sendSlackMessage sendEmailMessage"),
  "secrets:read": words("listSecrets getSecret"),
  "jobs:read": words(
    "listAutomationJobs getAutomationJob listAutomationRuns getAutomationRun listAutomationAttempts listAutomationLogs followAutomationRun",
  ),
  "jobs:write": words(
    "createDelivery updateDelivery deleteDelivery listDeliveries getDelivery createAutomationJob updateAutomationJob deleteAutomationJob processAutomationJob cancelAutomationRun replayAutomationRun syncMaintenance",
  ),
  "queries:write": words(
    "createSavedQuery updateSavedQuery deleteSavedQuery restoreSavedQuery listDestinations getDestination listLinkedFiles deleteLinkedFile",
  ),
  // Asked for, too, of others' queries and of the certified mark, within the operations of one's own.
  "queries:manage": words("createGlossaryTerm updateGlossaryTerm deleteGlossaryTerm"),
  "endpoints:manage": words(
    "createEndpoint listEndpoints describeEndpoints getEndpoint updateEndpoint deleteEndpoint setEndpointSecret getEndpointStatistics createEndpointKey listEndpointKeys deleteEndpointKey " +
      "createPublishedDashboard listPublishedDashboards getPublishedDashboard updatePublishedDashboard deletePublishedDashboard setPublishedDashboardSecret getPublishedDashboardStatistics",
  ),
  "docs:write": words("createDoc updateDoc deleteDoc restoreDoc setWebhookSecret deleteWebhookSecret"),
  "secrets:write": words("setSecret deleteSecret"),
  "integrations:write": words(
    "setSemanticModel getSemanticModel listSemanticModelVersions getSemanticModelVersion getSemanticModelDiff restoreSemanticModel checkSemanticModel draftSemanticModel createIntegration updateIntegration deleteIntegration testIntegration loadSample createLakeKey deleteLakeKey configureSync updateSync deleteSync runSync cancelSyncRun exportLakeCatalog",
  ),
  // Asked for within a statement, not at a door.
  "lake:write": [],
  "lake:manage": words(
    "listLakeHealth getLakeHealth getLakeStorage listLakeOptions setLakeOption runMaintenance cancelMaintenance getMaintenance listMaintenanceLogs listLastFailedMaintenanceLogs listMaintenanceSchedules setMaintenanceSchedule getMaintenanceSchedule deleteMaintenanceSchedule",
  ),
  "team:manage": words(
    "getUsage listUsers getUser createUser updateUser deleteUser listAuditEvents listKeys createKey getKey rotateKey deleteKey listUserAgentAuthorizations listUserSessions listUserPasskeys listUserIdentities setIdentityProvider deleteIdentityProvider listTeamDomains createTeamDomain verifyTeamDomain deleteTeamDomain updateTeamSettings setAlertWebhook getAlertWebhook deleteAlertWebhook setAlertSecret testAlertWebhook listAlertDeliveries listRoles createRole getRole updateRole deleteRole listRoleMembers addRoleMember removeRoleMember getUserAttributes setUserAttributes previewAccess createDestination updateDestination deleteDestination setDestinationSecret testDestination createMailAddress listMailAddresses deleteMailAddress listMessages getMessage listMessageAttempts replayMessage replayEvents",
  ),
  "platform:operate": words(
    "listTeams getTeam createTeam updateTeam deleteTeam createMagicLink setTeamDomain runTeamMaintenance getTeamMaintenance listTeamMaintenanceLogs listLastFailedTeamMaintenanceLogs listEventStatistics getEventStatistics listWork getPlatformHealth listOutboxMails readOutboxMail",
  ),
};

const MEMBER = [
  "any_key",
  "query",
  "iceberg",
  "catalog:read",
  "integrations:read",
  "drive",
  "docs:read",
  "docs:run",
  "store",
  "messages:send",
  "secrets:read",
  "jobs:read",
  "queries:write",
];
const ADMIN = [
  ...MEMBER,
  "docs:write",
  "secrets:write",
  "integrations:write",
  "lake:write",
  "lake:manage",
  "jobs:write",
  "queries:manage",
  "endpoints:manage",
  "team:manage",
];
const OPERATOR = [...ADMIN, "platform:operate"];
const NOT_IN_RUNS = words(
  "docs:run docs:write jobs:read jobs:write integrations:write lake:manage team:manage platform:operate " +
    "queries:write queries:manage endpoints:manage",
);
const inRun = (rights: string[]): string[] => rights.filter((right) => !NOT_IN_RUNS.includes(right));
const CALLERS = {
  member: MEMBER,
  admin: ADMIN,
  operator: OPERATOR,
  "a member's run": inRun(MEMBER),
  "an admin's run": inRun(ADMIN),
  "an operator's run": inRun(OPERATOR),
};
type Who = keyof typeof CALLERS;

const operations = (await listOperations()).filter(({ isPublic }) => !isPublic);
const ownerOf = ({ operationId }: Operation): string =>
  Object.entries(OPERATIONS).find(([, ids]) => ids.includes(operationId))?.[0] ?? "nobody knows";

/** A key as a run of this user would have it. */
async function newRunKey(
  teamId: string,
  userId: string,
  { endedAt = null as string | null, deadlineAt = "2999-01-01T00:00:00.000Z" } = {},
): Promise<string> {
  const { suffix, suffixHash } = await mintSuffix();
  await env.DB.prepare(
    `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until, deadline_at, created_at, ended_at)
     values (?1, ?2, ?1, 'Doc', 1, 'manual', ?3, ?4, 'running', ?5, ?5, '2000-01-01T00:00:00.000Z', ?6)`,
  )
    .bind(crypto.randomUUID(), teamId, userId, suffixHash, deadlineAt, endedAt)
    .run();
  return `${userId}-${suffix}`;
}

/** Sends ids and a body that are nobody's: whoever may ask learns that, and nothing happens. */
const ask = ({ method, path, hasBody }: Operation & { hasBody: boolean }, key: string): Promise<Answer> =>
  call(
    method,
    path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID()),
    { key, ...(hasBody ? { body: [] } : {}) },
  );
const asked = operations.map((operation) => ({
  ...operation,
  hasBody: ["POST", "PUT", "PATCH"].includes(operation.method) || operation.operationId === "deleteKvStore",
}));
const titled = asked.map((operation) => [operation.operationId, operation] as const);

let team: TestTeam;
const KEYS = {} as Record<Who, string>;
beforeAll(async () => {
  const platform = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(platform.admin.id).run();
  team = await newTeam();
  const [member, admin, operator] = [
    await newRunKey(team.id, team.member.id),
    await newRunKey(team.id, team.admin.id),
    await newRunKey(platform.id, platform.admin.id),
  ];
  Object.assign(KEYS, {
    member: team.member.key,
    admin: team.admin.key,
    operator: platform.admin.key,
    "a member's run": member,
    "an admin's run": admin,
    "an operator's run": operator,
  });
});

/** A key that opens nothing that is published is told of none. */
const ownRefusal = ({ path }: Operation) =>
  isPublished(path) ? [404, "resource_not_found"] : [401, "auth_invalid_token"];

describe("the table of operations", () => {
  it("names each of the document's once with its permission, and no other", async () => {
    const named = Object.entries(OPERATIONS).flatMap(([permission, ids]) => ids.map((id) => `${id}: ${permission}`));
    const listed = (await listOperations()).map(({ operationId, permission }) => `${operationId}: ${permission}`);
    expect(named.sort()).toEqual(listed.sort());
    expect(ROLES).toEqual(["member", "admin"]);
  });
});

describe.each(Object.keys(CALLERS) as Who[])("%s", (who) => {
  it.each(titled)("%s", async (_, operation) => {
    const owner = ownerOf(operation);
    const { status, body } = await ask(operation, KEYS[who]);
    if (CALLERS[who].includes(owner)) expect([401, 403, 500]).not.toContain(status);
    else if (owner === "own_check") expect([status, body.error.code]).toEqual(ownRefusal(operation));
    else
      expect([status, body.error.code, body.message]).toEqual([
        403,
        "forbidden_insufficient_permissions",
        `This needs the right ${owner}.`,
      ]);
  });
});

describe("a key with scopes", () => {
  const newScopedKey = async (scopes: Right[]): Promise<string> => {
    const platform = await newTeam();
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(platform.admin.id).run();
    const { scope, db } = { scope: scopeOf(platform.id, platform.admin.id, true), db: openDb(env.DB) };
    return (await createKey({ scope, db }, platform.admin.id, { name: "k", expires_at: null, scopes })).key;
  };

  it.each(RIGHTS)("without %s is told so by each operation that needs it, and by no other", async (right) => {
    const without = await newScopedKey(RIGHTS.filter((other) => other !== right));
    const alone = await newScopedKey([right]);
    for (const operation of asked.filter((each) => ownerOf(each) === right)) {
      const { status, body } = await ask(operation, without);
      expect([operation.operationId, status, messageIn(operation.path, body)]).toEqual([
        operation.operationId,
        403,
        `This needs the right ${right}.`,
      ]);
      expect([401, 403, 500]).not.toContain((await ask(operation, alone)).status);
    }
  });
});

describe("the key of a cluster", () => {
  it("opens the Iceberg catalog, and no other operation", async () => {
    const [lake] = (await call("GET", "/v1/api/integrations", { key: team.admin.key })).body.data;
    const key = await addLakeKey(team.admin.key, await addCluster(team.admin.key, lake.id));
    for (const operation of asked) {
      const owner = ownerOf(operation);
      const { status } = await ask(operation, key);
      const expected = owner === "iceberg" ? [200, 404] : owner === "own_check" ? [ownRefusal(operation)[0]] : [403];
      expect([operation.operationId, expected.includes(status), status]).toEqual([operation.operationId, true, status]);
    }
  });
});

describe("a run's key", () => {
  it.each([
    ["that has ended", { endedAt: "2000-01-01T00:00:00.000Z" }],
    ["that is past its deadline", { deadlineAt: "2000-01-01T00:00:00.000Z" }],
  ])("of a run %s is nobody's, for every operation", async (_, run) => {
    const key = await newRunKey(team.id, team.admin.id, run);
    for (const operation of asked)
      expect([operation.operationId, (await ask(operation, key)).status]).toEqual([
        operation.operationId,
        operation.permission === "own_check" ? ownRefusal(operation)[0] : hasOldStatuses(operation.path) ? 403 : 401,
      ]);
  });

  it("of a user who is gone, or in another team, is nobody's", async () => {
    const { id } = await team.newMember();
    const key = await newRunKey(team.id, id);
    expect((await call("GET", "/v4/me", { key })).status).toBe(200);
    expect((await call("DELETE", `/v4/users/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await call("GET", "/v4/me", { key })).status).toBe(401);
    expect((await call("GET", "/v4/me", { key: await newRunKey((await newTeam()).id, team.admin.id) })).status).toBe(
      401,
    );
  });
});

/** What only containers call, and the uses of the tokens that open it. */
const INTERNAL: Record<string, Token["use"][]> = {
  ...Object.fromEntries(
    words("describe plan sign snapshots writers writers/end").map((verb) => [`/lakes/:lakeId/${verb}`, ["lake"]]),
  ),
  ...Object.fromEntries(words("outline rows").map((verb) => [`/lakes/:lakeId/${verb}`, ["export"]])),
  ...Object.fromEntries(
    words("uploads commit state tables plan sign heartbeat finish log").map((verb) => [
      `/jobs/:jobId/${verb}`,
      ["job"],
    ]),
  ),
  ...Object.fromEntries(
    words("plan expire delete collect statistics").map((step) => [`/jobs/:jobId/maintenance/${step}`, ["job"]]),
  ),
  ...Object.fromEntries(words("list sign").map((verb) => [`/drive/${verb}`, ["drive", "lake", "run"]])),
  ...Object.fromEntries(
    words("heartbeat log results stage publish report finish").map((verb) => [`/runs/:runId/${verb}`, ["run"]]),
  ),
  ...Object.fromEntries(words("result finish").map((verb) => [`/queries/:queryId/${verb}`, ["query"]])),
  "/cluster-statements/:statementId/use": ["cluster"],
  "/wake": ["wake"],
};

describe("a route of containers", () => {
  const expiresAt = Date.now() + 600_000;
  const agent = { teamId: crypto.randomUUID(), userId: "x", authorizationId: "x", expiresAt };
  const ids = {
    teamId: crypto.randomUUID(),
    lakeId: crypto.randomUUID(),
    jobId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    queryId: crypto.randomUUID(),
    statementId: crypto.randomUUID(),
  };
  const { teamId, lakeId, jobId, runId, queryId, statementId } = ids;
  beforeAll(() => addTeamRow(teamId));
  const tokens: Token[] = [
    {
      use: "lake",
      teamId,
      lakeId,
      snapshotId: 0,
      reader: "everything",
      writes: { statementId: crypto.randomUUID(), jobId, author: "Ada" },
      expiresAt,
    },
    { use: "export", teamId, lakeId, snapshotId: 0, expiresAt },
    { use: "job", teamId, lakeId, jobId, lease: "lease", fence: 1, expiresAt },
    { use: "drive", teamId, expiresAt },
    { use: "run", teamId, runId, expiresAt },
    { use: "query", teamId, queryId, createdAt: new Date().toISOString(), expiresAt },
    { use: "cluster", teamId, lakeId, statementId, expiresAt },
    { use: "wake", teamId, expiresAt },
    { use: "unsubscribe", teamId, address: "ada@example.com", expiresAt },
    { use: "challenge", purpose: "passkey_sign_in", challenge: "x", userId: null, expiresAt },
    {
      ...({ use: "oidc", providerId: "x", issuer: "x", clientId: "x", userId: null } as const),
      ...{ state: "x", nonce: "x", verifier: "x", expiresAt },
    },
    { use: "agent", ...agent },
    { use: "agent_code", ...agent, challenge: "x", asker: "x" },
    { use: "agent_refresh", ...agent, generation: 1 },
  ];
  const filled = (path: string): string =>
    `/internal${path.replaceAll(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name])}`;
  /**
   * A body of no route's form: whoever is let in hears that. There is no such run or query, which is looked up
   * before; an outline asks for nothing.
   */
  const heard = (path: string): number =>
    /^\/(runs|queries)\//.test(path) ? 404 : path.endsWith("/outline") ? 200 : 422;
  const knock = async (path: string, token: string): Promise<number> =>
    (
      await send("POST", path, {
        key: token,
        raw: "[]",
        headers: { "content-type": "application/json", "content-length": "2" },
      })
    ).status;

  it("is in the table of such routes", () => {
    const served = app.routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/internal/"));
    expect(served.map(({ method, path }) => `${method} ${path.slice("/internal".length)}`).sort()).toEqual(
      Object.keys(INTERNAL)
        .map((path) => `POST ${path}`)
        .sort(),
    );
  });

  it.each(Object.entries(INTERNAL))(
    "%s opens to its own tokens alone, while they last, and to no key",
    async (path, uses) => {
      for (const token of tokens) {
        const [good, late] = await Promise.all([
          mintToken(env as Env, token),
          mintToken(env as Env, { ...token, expiresAt: Date.now() - 1 }),
        ]);
        const status = await knock(filled(path), good);
        expect([token.use, status]).toEqual([token.use, uses.includes(token.use) ? heard(path) : 401]);
        expect(await knock(filled(path), late)).toBe(401);
      }
      for (const key of Object.values(KEYS)) expect(await knock(filled(path), key)).toBe(401);
    },
  );

  it.each(Object.entries(INTERNAL).filter(([path]) => path.includes(":")))(
    "%s of another id than the token's is not found",
    async (path, [use]) => {
      const token = await mintToken(env as Env, tokens.find((candidate) => candidate.use === use)!);
      expect(await knock(`/internal${path.replaceAll(/:\w+/g, () => crypto.randomUUID())}`, token)).toBe(404);
    },
  );
});
