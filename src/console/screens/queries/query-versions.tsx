// The versions of a saved query: what each changed, and how an earlier one comes back.

import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import type { Texts } from "../../ui/editor/text-changes.tsx";
import { VersionHistory } from "../../ui/editor/version-history.tsx";

type SavedQuery = components["schemas"]["SavedQueryDetail"];

export function QueryVersions({ query }: { query: SavedQuery }) {
  const mayWrite = useMay("queries:write");
  const path = { query_id: query.id };
  const fetchVersion = (version: number) =>
    dataOf(
      api.GET("/v4/queries/{query_id}/versions/{version}", { params: { path: { ...path, version: String(version) } } }),
    );
  const restore = async (version: number) => {
    const { sql, cube_query: cube, integration_id, parameters, questions } = await fetchVersion(version);
    const question = sql === undefined ? { cube_query: cube! } : { sql };
    const params = { path, header: { "If-Match": `"${query.version}"` } };
    return dataOf(
      api.PATCH("/v4/queries/{query_id}", { params, body: { ...question, integration_id, parameters, questions } }),
    );
  };
  return (
    <VersionHistory
      queryKey={["queries", query.id]}
      newest={query.version}
      fetchPage={(offset) =>
        dataOf(api.GET("/v4/queries/{query_id}/versions", { params: { path, query: { offset, limit: 20 } } }))
      }
      fetchTexts={async (version) => textsOf(await fetchVersion(version))}
      language="sql"
      restore={mayWrite ? restore : undefined}
    />
  );
}

/** What comes back with a version. */
type Question = Pick<SavedQuery, "sql" | "cube_query" | "integration_id" | "parameters" | "questions">;

const textsOf = ({ sql, cube_query: cube, integration_id, parameters, questions }: Question): Texts => ({
  question: sql ?? asText(cube),
  ...(questions.length > 0 && { questions: questions.join("\n") }),
  ...(integration_id !== null && { integration: integration_id }),
  ...(Object.keys(parameters).length > 0 && { parameters: asText(parameters) }),
});

const asText = (value: unknown) => JSON.stringify(value, null, 2);
