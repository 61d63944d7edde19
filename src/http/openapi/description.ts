// The head of the OpenAPI document says once what holds for every operation.

import { LIMITS } from "../../core/limits.ts";
import { REQUEST_LIMITS } from "../request/limits.ts";

export const DESCRIPTION = `A team-scoped data-analytics platform: connect databases, query them and the team's data lake.

**Keys.** Send \`Authorization: Bearer <API_KEY>\`. A key is \`<user_id>-<suffix>\`, is shown once, and acts with the rights of its user:
a member queries, reads, uses the drive and runs docs; an admin also writes to the lake and manages integrations, syncs, docs, secrets, users and
keys; a platform operator also manages teams. A revoked key may be honoured for up to ${LIMITS.keyCacheMs / 1000} seconds more.

**Answers.** Operations under \`/v4\` answer \`{success, data, meta: {requestId, durationMs}}\`; lists hold \`{items, total, limit, offset}\`.
Those under \`/v1\` and \`/v3\` keep their own shapes; under \`/v3\` all that is invalid is 400 instead of 422, and a missing key 403 instead
of 401. Those under \`/cubejs-api\` have the form of Cube's REST API, whose failures are \`{error: text}\`, with the same statuses
as \`/v3\`; a key may stand there without \`Bearer\`. Every other failure, on every version, is the one \`Failure\` document: \`message\` is for people, \`error.code\` for programs, \`error.flaws\` names
every invalid field at once, up to ${REQUEST_LIMITS.flawsReportedMax}, by JSON pointer (one alone is in \`message\` as well; \`/query/<name>\` and \`/header/<name>\` outside
the body), and \`error.retryable\` says whether the same request may succeed later; if so \`Retry-After\` says when to try.

**Request ids.** A UUID sent as \`X-Request-Id\` becomes the request's id, else one is made; it is echoed in the header and in
\`meta.requestId\`. \`Server-Timing\` tells the duration.

**Bodies**, unless the operation says otherwise, are JSON of at most ${REQUEST_LIMITS.bodyBytesMax / 1024 / 1024} MiB (else 413), sent as \`application/json\` (else 415); one that is not
required may be absent or empty. Unknown fields and query parameters are
refused (422). Array parameters are repeated keys. An unknown path is 404, a known path under another method 405 with \`Allow\`. Every GET also
answers HEAD.

**Browsers.** Any origin may call (\`Access-Control-Allow-Origin: *\`), without credentials: keys travel in the header only. Exposed are
\`X-Request-Id\`, \`Server-Timing\`, \`Retry-After\`, \`RateLimit\`, \`RateLimit-Policy\`, \`Allow\`, \`ETag\`, \`Location\` and
\`Idempotency-Replayed\`; preflights may be kept for two hours. Answers carry \`nosniff\`, \`no-referrer\`,
\`Strict-Transport-Security\` and a content policy that lets nothing run, and are not to be stored unless they say otherwise.

Operations tagged \`Extensions\` go beyond the published specification.`;
