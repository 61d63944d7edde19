// The OpenAPI 3.1 document: derived from the declared routes, made once per isolate.

import { DESCRIPTION } from "./description.ts";
import type { App } from "../router.ts";

/** The version of the API, not of its releases. */
const INFO = {
  title: "Fjord",
  version: "0.1.0",
  description: DESCRIPTION,
  contact: { name: "Whoever runs this installation" },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

/** In the order in which the page shows them. */
const TAGS = [
  { name: "Query", description: "SQL on the lake and on connected databases." },
  { name: "Knowledge", description: "A team's glossary, and what agents are given before they ask." },
  { name: "Saved queries", description: "Questions that a team keeps, with their parameters and versions." },
  { name: "Endpoints", description: "Saved queries, published for applications under a role and keys of their own." },
  { name: "Published dashboards", description: "Dashboards, published for readers under a role, by signed tokens." },
  { name: "Integrations", description: "Connections to databases, and the team's lakes." },
  { name: "Semantic models", description: "Cubes and views over the tables of an integration, and what they offer." },
  { name: "Trino's protocol", description: "For clients of Trino as they are: a lake in Trino's SQL." },
  { name: "Cube's API", description: "For clients of Cube as they are: a semantic model by Cube's own REST API." },
  { name: "Syncs", description: "Copying databases into lakes, on a schedule." },
  { name: "Catalog", description: "What lies in a lake: tables, columns, snapshots." },
  {
    name: "Iceberg",
    description: "For other engines: a lake's tables as an Iceberg REST catalog has them, to be read where they lie.",
  },
  { name: "Lake administration", description: "How lakes are, what they hold, and their maintenance." },
  { name: "Drive", description: "The team's files." },
  { name: "Data access", description: "Roles: who may read which tables, columns and rows." },
  { name: "Docs", description: "Definitions of datasets, and what becomes of them when they are run." },
  {
    name: "Automations",
    description: "Jobs that run docs and deliveries and maintain lakes, on a schedule or when asked.",
  },
  { name: "Store", description: "What scripts keep: key-value stores and secrets." },
  { name: "Alerts", description: "A webhook of the team, for syncs and jobs that go wrong." },
  { name: "Mail", description: "Whom a team's mail may go to, and where the links in mails lead." },
  {
    name: "Messages",
    description: "What goes out by mail and other channels, what scripts send, and what became of it.",
  },
  { name: "Deliveries", description: "What goes out of a team by itself, to whom, and when." },
  { name: "Users", description: "The caller, and the people of the team." },
  { name: "Keys", description: "API keys." },
  { name: "Identity providers", description: "How a team's people sign in at their own provider." },
  { name: "Sessions", description: "Signing in and out of the console, in a browser." },
  { name: "Audit", description: "Who changed what, when, from what and to what." },
  { name: "Teams", description: "The platform's teams; for operators." },
  { name: "Statistics", description: "How many events teams have, and how long they take; for operators." },
  { name: "Usage", description: "What the team holds and uses of its plan." },
  { name: "Agents", description: "The door of programs with a language model, by the Model Context Protocol." },
  { name: "Liveness", description: "For load balancers; no key." },
  { name: "Extensions", description: "What goes beyond the published specification." },
];

const SECURITY_SCHEME = "ApiKey";

type Parameter = { name?: string; in?: string; schema?: object };

/** Ids in paths that are no UUIDs: an attempt's number, and the job of an engine, which names its attempt. */
const attemptId = { type: "integer", minimum: 1 };
const isEngineJob = (path: string): boolean => path.includes("/job-logs/");

/** Says of what form ids in paths are. What has another form is none's: it is answered 404, and not refused. */
function withPathIds(document: ReturnType<App["getOpenAPI31Document"]>): object {
  const paths = (document.paths ?? {}) as Record<string, Record<string, { parameters?: Parameter[] }>>;
  for (const [path, operations] of Object.entries(paths))
    for (const { parameters = [] } of Object.values(operations))
      for (const parameter of parameters) {
        const { name = "", in: place } = parameter;
        if (place !== "path" || !name.endsWith("_id")) continue;
        if (name === "attempt_id") parameter.schema = attemptId;
        else if (name !== "job_id" || !isEngineJob(path)) parameter.schema = { ...parameter.schema, format: "uuid" };
      }
  return document;
}

const texts = new WeakMap<App, string>();

/** The text of the document of all that is registered on `app`, made once. */
export function documentOf(app: App): string {
  const known = texts.get(app);
  if (known !== undefined) return known;
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/" }],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: TAGS,
  });
  const text = JSON.stringify(withPathIds(document));
  texts.set(app, text);
  return text;
}

/** Serves the document of every route registered on `app` at `path`, which it does not list itself. */
export function serveDocument(app: App, path: string): void {
  app.openAPIRegistry.registerComponent("securitySchemes", SECURITY_SCHEME, {
    type: "http",
    scheme: "bearer",
    description: "An API key, `<user_id>-<suffix>`.",
  });
  app.get(path, (c) => {
    c.set("headerOverrides", { "Cache-Control": "public, max-age=300" });
    return c.body(documentOf(app), 200, { "Content-Type": "application/json" });
  });
}
