// A tab's text can be saved, shared, published and delivered besides being run.

import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import { shareLink } from "../../../api/query-link.ts";
import { Button, Menu, Modal } from "../../../ui/controls.ts";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { copyLink } from "../../../ui/feedback/copy-link.ts";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { SaveQueryForm } from "../../../ui/forms/save-query-form.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { titleOf, type Tab } from "../tabs/tab.ts";
import type { TabStore } from "../tabs/tab-store.ts";
import { declaredParameters } from "../text/parameters.ts";
import { parameterNames } from "../text/statements.ts";
import { DocDialog, docDialogTitle } from "./doc-dialog.tsx";
import type { DocKind } from "./doc-text.ts";

export function QueryMenu({ store, tab }: { store: TabStore; tab: Tab }) {
  const maySave = useMay("queries:write");
  const mayWriteDocs = useMay("docs:write");
  const [isSaving, setSaving] = useState(false);
  const [docKind, setDocKind] = useState<DocKind>();
  const { saved } = tab;
  const update = useAction(
    async () => {
      const path = { query_id: saved!.id };
      const { parameters } = await dataOf(api.GET("/v4/queries/{query_id}", { params: { path } }));
      // What was declared of a parameter, such as its default, stays as long as the text names it.
      const declared = Object.entries({ ...declaredParameters(tab.text, tab.values), ...parameters });
      const named = new Set(parameterNames(tab.text));
      return dataOf(
        api.PATCH("/v4/queries/{query_id}", {
          params: { path, header: { "If-Match": `"${saved!.version}"` } },
          body: {
            sql: tab.text,
            integration_id: tab.integrationId,
            parameters: Object.fromEntries(declared.filter(([name]) => named.has(name))) as Record<string, never>,
          },
        }),
      );
    },
    {
      renews: ["queries"],
      onDone: ({ id, version }) => {
        store.change(tab.id, { saved: { id, version } });
        showToast(`Saved as version ${version}.`);
      },
    },
  );
  const share = () => copyLink(shareLink(tab), "gets the text in a new tab");
  return (
    <>
      {maySave && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="saved" size={15} />}
          loading={update.isPending}
          disabled={tab.text.trim() === ""}
          onClick={() => (saved ? update.mutate() : setSaving(true))}
        >
          {saved ? "Save" : "Save …"}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" aria-label="More" px={8}>
            <Icon name="more" size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="share" size={15} />} onClick={() => void share()}>
            Copy a link
          </Menu.Item>
          {maySave && saved && <Menu.Item onClick={() => setSaving(true)}>Save as another query …</Menu.Item>}
          {mayWriteDocs &&
            (["dashboard", "pipeline"] as const).map((kind) => (
              <Menu.Item key={kind} disabled={tab.text.trim() === ""} onClick={() => setDocKind(kind)}>
                {docDialogTitle(kind)} …
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isSaving} onClose={() => setSaving(false)} title="Save the query">
        {isSaving && (
          <SaveQueryForm
            title={titleOf(tab)}
            question={{
              sql: tab.text,
              integration_id: tab.integrationId,
              parameters: declaredParameters(tab.text, tab.values) as Record<string, never>,
            }}
            onSaved={({ id, version, name }) => {
              store.change(tab.id, { title: name, saved: { id, version } });
              setSaving(false);
            }}
          />
        )}
      </Modal>
      <Modal
        opened={docKind !== undefined}
        onClose={() => setDocKind(undefined)}
        title={docKind && docDialogTitle(docKind)}
      >
        {docKind && <DocDialog tab={tab} kind={docKind} onClose={() => setDocKind(undefined)} />}
      </Modal>
    </>
  );
}
