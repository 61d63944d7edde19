// The screen of semantic models asks the API for these, and keeps the answers under these names.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, bodyOf, request } from "../../api/client.ts";
import type { Integration } from "../../api/integrations.ts";
import { asProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { runStatement } from "../../api/statement.ts";
import { tablesSql } from "../../api/tables-sql.ts";
import type { EditorFlaw } from "../../ui/editor/lazy.ts";
import type { ModelFile } from "./changes.ts";

export type ModelFlaw = components["schemas"]["Flaw"];

const NOT_FOUND = 404;
const FRESH_MS = 60_000;

export const isModelled = ({ type }: Integration): boolean =>
  type === "lake" || type === "postgres" || type === "mysql";

export type SavedModel = { version: number; files: readonly ModelFile[] };
const NO_MODEL: SavedModel = { version: 0, files: [] };

/** The newest version; version 0 without files where there is none. */
export const modelQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["models", integrationId],
    queryFn: async (): Promise<SavedModel> => {
      try {
        // It comes as YAML, too, so its type is no single one.
        const path = `/v1/api/integrations/${integrationId}/model`;
        const answer = await request(path, { headers: { accept: "application/json" } });
        return ((await answer.json()) as { model: SavedModel }).model;
      } catch (error) {
        if (asProblem(error).status === NOT_FOUND) return NO_MODEL;
        throw error;
      }
    },
  });

export const checkQuery = (integrationId: string, files: readonly ModelFile[]) =>
  queryOptions({
    queryKey: ["models", integrationId, "check", files],
    queryFn: ({ signal }) =>
      bodyOf(
        api.POST("/v1/api/integrations/{integration_id}/model/check", {
          params: { path: { integration_id: integrationId } },
          body: { files: [...files] },
          signal,
        }),
      ),
    staleTime: FRESH_MS,
    retry: false,
    // While the text is checked anew, what was found stands where it was.
    placeholderData: keepPreviousData,
  });

/** The flaws of one file, for its editor. One without a line is about the file as a whole. */
export const flawsIn = (flaws: readonly ModelFlaw[], path: string): EditorFlaw[] =>
  flaws
    .filter(({ file }) => file === path)
    .map(({ line = 1, column = 1, message }) => ({ line, column, message, severity: "error" }));

/** Tables that a model can describe, each `schema.table`. */
export const tablesQuery = (base: Integration) =>
  queryOptions({
    queryKey: ["models", "tables", base.id],
    queryFn: async ({ signal }) => {
      const sql = tablesSql(base.type === "lake");
      const { rows } = await runStatement({ sql, integrationId: base.id, signal });
      return rows.map((row) => `${row["schema_name"]}.${row["table_name"]}`);
    },
    staleTime: FRESH_MS,
  });
