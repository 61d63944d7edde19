// The versions of a semantic model: who saved each and why, what it changed, and how it comes back.

import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { VersionHistory } from "../../ui/editor/version-history.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { ShownModel } from "./model-page.tsx";

export function ModelVersions({ cube, saved: { version: newest } }: ShownModel) {
  const cache = useQueryClient();
  const path = { integration_id: cube.id };
  return (
    <Page
      title={`Versions of ${cube.name}`}
      lead="Each save that changed something made one. Old ones go by and by."
      trail={<Link href={`/models/${cube.id}`}>{cube.name}</Link>}
    >
      <VersionHistory
        queryKey={["models", cube.id]}
        newest={newest}
        fetchPage={async (offset) => {
          const params = { path, query: { offset, limit: 20 } };
          const { data: items, ...page } = await bodyOf(
            api.GET("/v1/api/integrations/{integration_id}/model/versions", { params }),
          );
          return { items, ...page };
        }}
        fetchTexts={async (version) => {
          const params = { path: { ...path, version: String(version) } };
          const { model } = await bodyOf(
            api.GET("/v1/api/integrations/{integration_id}/model/versions/{version}", { params }),
          );
          return Object.fromEntries(model.files.map((file) => [file.path, file.content]));
        }}
        noteOf={({ message, restored_from: restored }) =>
          message ?? (restored === null ? "" : `Version ${restored}, restored`)
        }
        restore={async (version) => {
          const params = { path, header: { "If-Match": `"${newest}"` } };
          await bodyOf(api.POST("/v1/api/integrations/{integration_id}/model/restore", { params, body: { version } }));
          await cache.invalidateQueries({ queryKey: ["explore", cube.id] });
        }}
      />
    </Page>
  );
}
