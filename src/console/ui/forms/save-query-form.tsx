// A question is saved as a query of the team, under a name.

import { TagsInput, TextInput } from "@mantine/core";
import { useInputState } from "@mantine/hooks";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { showToast } from "../feedback/toasts.tsx";
import { DialogForm } from "./dialog-form.tsx";
import { useFormAction } from "../feedback/use-action.ts";

type NewQuery = components["schemas"]["NewSavedQuery"];

type SaveQueryFormProps = {
  /** What it is called unless another name is typed. */
  title: string;
  question: Pick<NewQuery, "sql" | "cube_query" | "integration_id" | "parameters">;
  onSaved: (saved: { id: string; version: number; name: string }) => void;
};

export function SaveQueryForm({ title, question, onSaved }: SaveQueryFormProps) {
  const [name, setName] = useInputState(title);
  const [description, setDescription] = useInputState("");
  const [tags, setTags] = useState<string[]>([]);
  const create = useFormAction(
    () =>
      dataOf(
        api.POST("/v4/queries", {
          body: { name: name.trim(), description: description.trim() || null, tags, ...question },
        }),
      ),
    {
      renews: ["queries"],
      onDone: ({ id, version }) => {
        onSaved({ id, version, name: name.trim() });
        showToast("Saved. It is listed under Saved queries.");
      },
    },
  );
  return (
    <DialogForm work={create} verb="Save">
      <TextInput label="Name" required data-autofocus value={name} onChange={setName} />
      <TextInput label="Description" value={description} onChange={setDescription} />
      <TagsInput label="Tags" value={tags} onChange={setTags} />
    </DialogForm>
  );
}
