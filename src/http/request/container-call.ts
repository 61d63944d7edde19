// Containers call back with a token instead of a key, and a body whose length they state.

import type { Context } from "hono";
import type { ZodType } from "zod";
import { REQUEST_LIMITS } from "./limits.ts";
import { invalidAt, notFound, Problem } from "../../core/problem.ts";
import { TOKEN_REFUSED, type JobToken, type TeamToken } from "../../platform/crypto/token.ts";
import { isTeamLive } from "../../platform/db/live-teams.ts";
import { clientsOf, type AppEnv } from "../app-env.ts";
import { flawsOf } from "../render-problem.ts";

/** The claims of the caller's token, which must be of this use, or of one of these, and of a team that is there. */
export async function readBearer<Use extends TeamToken["use"]>(
  c: Context<AppEnv>,
  use: Use | readonly Use[],
): Promise<Extract<TeamToken, { use: Use }>> {
  const [, text = ""] = /^bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  const { tokens, db } = clientsOf(c);
  const now = new Date();
  const token: TeamToken = await tokens.read<TeamToken["use"]>(use, text, now);
  if (!(await isTeamLive(db, token.teamId, now))) throw new Problem("auth_invalid_token", TOKEN_REFUSED);
  return token as Extract<TeamToken, { use: Use }>;
}

/** The claims of an engine job's token; one for another job than the path's answers as if that were not there. */
export async function readJobToken(c: Context<AppEnv>): Promise<JobToken> {
  const token = await readBearer(c, "job");
  const jobId = c.req.param("jobId") ?? "";
  if (token.jobId !== jobId) throw notFound("Job", jobId);
  return token;
}

/**
 * Larger than a caller's body may be: a commit names every file it adds. Containers state the length of what they send.
 */
export async function readBody<Body>(c: Context<AppEnv>, schema: ZodType<Body>): Promise<Body> {
  if (!(Number(c.req.header("content-length")) <= REQUEST_LIMITS.internalBodyBytesMax)) {
    throw new Problem(
      "body_too_large",
      `State the body's length; it has at most ${REQUEST_LIMITS.internalBodyBytesMax} bytes.`,
    );
  }
  const parsed = schema.safeParse(parseJson(await c.req.text()));
  if (!parsed.success)
    throw new Problem("validation_failed", "The body is not of this route's form.", flawsOf(parsed.error));
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidAt("", "This is not JSON.", "The body is not valid JSON.");
  }
}
