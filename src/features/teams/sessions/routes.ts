// The sessions that there are: one's own, and those of the team's people.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { deleteSession } from "./delete.ts";
import { listSessions, listUserSessions } from "./list.ts";
import { Session } from "./session.ts";

export const sessions = createRouter(["Sessions", "Extensions"]);

const SessionQuery = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));
const SessionPage = pageOf("SessionPage", Session);

sessions.operation("listSessions", "GET /sessions", {
  permission: "any_key",
  summary: "List one's own sessions",
  description: "Those that work, newest first. A key with scopes lists those that it has made.",
  query: SessionQuery,
  answer: enveloped("A page of sessions, newest first", SessionPage),
  run: (ctx, { query }) => listSessions(ctx, query),
});

sessions.operation("listUserSessions", "GET /users/{user_id}/sessions", {
  permission: "team:manage",
  summary: "List a user's sessions",
  description: "Those that work, newest first.",
  params: z.object({ user_id: z.string() }),
  query: SessionQuery,
  answer: enveloped("A page of sessions, newest first", SessionPage),
  run: (ctx, { params, query }) => listUserSessions(ctx, params.user_id, query),
});

sessions.operation("deleteSession", "DELETE /sessions/{session_id}", {
  permission: "any_key",
  audit: "session.delete",
  summary: "End a session",
  description:
    "One's own, or, with the right `team:manage`, anybody's of the team; an operator's is ended by operators alone. " +
    "It may be honoured for some seconds more.",
  params: z.object({ session_id: z.string() }),
  answer: nothing("Ended"),
  run: (ctx, { params }) => deleteSession(ctx, params.session_id),
});
