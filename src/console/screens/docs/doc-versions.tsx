// The versions of a doc: what each changed, and how an earlier one comes back.

import { api, dataOf } from "../../api/client.ts";
import { saveDocText, type DocDetail } from "../../api/docs.ts";
import { useMay } from "../../api/me.ts";
import { VersionHistory } from "../../ui/editor/version-history.tsx";

export function DocVersions({ doc }: { doc: DocDetail }) {
  const mayWrite = useMay("docs:write");
  const path = { doc_id: doc.id };
  const fetchText = async (version: number) => {
    const params = { path: { ...path, version: String(version) } };
    return (await dataOf(api.GET("/v4/docs/{doc_id}/versions/{version}", { params }))).text;
  };
  // JSON is YAML, whichever that version was written in.
  const restore = async (version: number) =>
    saveDocText({ id: doc.id, media_type: "application/yaml" }, await fetchText(version), doc.version);
  return (
    <VersionHistory
      queryKey={["docs", doc.id]}
      newest={doc.version}
      fetchPage={(offset) =>
        dataOf(api.GET("/v4/docs/{doc_id}/versions", { params: { path, query: { offset, limit: 20 } } }))
      }
      fetchTexts={async (version) => ({ "the text": await fetchText(version) })}
      restore={mayWrite ? restore : undefined}
    />
  );
}
