// Saves a tab's text as a query of the team: with a name, and a type for each of its parameters.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import { TagsInput, TextInput } from "../../../ui/controls.ts";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { titleOf, type Tab } from "../tabs/tab.ts";
import type { TabStore } from "../tabs/tab-store.ts";
import { declaredParameters } from "../text/parameters.ts";
import { DialogForm } from "../../../ui/forms/dialog-form.tsx";

export function SaveDialog({ store, tab, onClose }: { store: TabStore; tab: Tab; onClose: () => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState(titleOf(tab));
  const [description, setDescription] = useState("");
  const [tags, setTags] = useState<string[]>([]);
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST("/v4/queries", {
          body: {
            name: name.trim(),
            description: description.trim() || null,
            tags,
            sql: tab.text,
            integration_id: tab.integrationId,
            parameters: declaredParameters(tab.text, tab.values) as Record<string, never>,
          },
        }),
      ),
    onSuccess: async ({ id, version }) => {
      store.change(tab.id, { title: name.trim(), saved: { id, version } });
      showToast("Saved. It is listed under Saved queries.");
      onClose();
      await cache.invalidateQueries({ queryKey: ["queries"] });
    },
  });
  return (
    <DialogForm work={create} verb="Save">
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <TagsInput label="Tags" value={tags} onChange={setTags} />
    </DialogForm>
  );
}
