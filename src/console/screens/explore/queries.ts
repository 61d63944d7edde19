// The explorer asks the API for these, and keeps the answers under these names.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "../../api/client.ts";
import type { Integration } from "../../api/integrations.ts";
import { asProblem } from "../../api/problem.ts";
import { ARROW, cancelStatement, sendQuery } from "../../api/statement.ts";
import { membersOf } from "./state/members.ts";

export type CubeQuery = Record<string, unknown>;

const FRESH_MS = 60_000;
const NOT_FOUND = 404;

/** The cube integrations of a team, those on its own lake first. */
export function cubesOf(integrations: readonly Integration[]): Integration[] {
  const own = integrations.find(({ is_default: isDefault }) => isDefault)?.id;
  const isOnOwn = ({ details }: Integration) => details.integration_id === own;
  const cubes = integrations.filter(({ type }) => type === "cube");
  return [...cubes.filter(isOnOwn), ...cubes.filter((cube) => !isOnOwn(cube))];
}

/** The members of its model; null where it has no model yet. */
export const membersQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["explore", integrationId, "members"],
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async () => {
      const params = { path: { integration_id: integrationId } };
      try {
        return membersOf((await bodyOf(api.GET("/v1/api/integrations/{integration_id}/meta", { params }))).cubes);
      } catch (error) {
        if (asProblem(error).status === NOT_FOUND) return null;
        throw error;
      }
    },
  });

/** One that is no longer wanted is cancelled at its source. */
export const answerQuery = (integrationId: string, query: CubeQuery) =>
  queryOptions({
    queryKey: ["explore", integrationId, "answer", query],
    queryFn: async ({ signal }) => {
      const id = crypto.randomUUID();
      const startedAt = Date.now();
      signal.addEventListener("abort", () => void cancelStatement(id));
      const body = { cube_query: query, integration_id: integrationId };
      const response = await sendQuery({ id, body, accept: ARROW, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { readArrowSource, resultTableOf } = await import("../../ui/grid/arrow-result.ts");
      const source = readArrowSource(bytes);
      return { source, table: resultTableOf(source), tookMs: Date.now() - startedAt };
    },
    staleTime: FRESH_MS,
    retry: false,
    structuralSharing: false,
    // While the next answer is on its way, the one before stays in view.
    placeholderData: keepPreviousData,
  });

export type Answer = Awaited<ReturnType<NonNullable<ReturnType<typeof answerQuery>["queryFn"]>>>;

export const sqlQuery = (integrationId: string, query: CubeQuery) =>
  queryOptions({
    queryKey: ["explore", integrationId, "sql", query],
    queryFn: async () => {
      const params = { path: { integration_id: integrationId } };
      const body = { cube_query: query as Record<string, never> };
      return (await bodyOf(api.POST("/v1/api/integrations/{integration_id}/sql", { params, body }))).statements;
    },
    staleTime: FRESH_MS,
    retry: false,
  });
