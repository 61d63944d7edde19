// A draft of a model is saved as its next version, once its changes were looked at.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { TextInput, useInputState } from "../../ui/controls.ts";
import { TextChanges } from "../../ui/editor/text-changes.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { textChanges, type Changes, type ModelFile } from "./changes.ts";
import type { Integration } from "../../api/integrations.ts";

const CONFLICT = 412;

type SaveDialogProps = {
  cube: Integration;
  saved: { version: number; files: readonly ModelFile[] };
  changes: Changes;
  files: readonly ModelFile[];
  onSaved: () => void;
  onConflict: () => void;
};

export function SaveDialog({ cube, saved, changes, files, onSaved, onConflict }: SaveDialogProps) {
  const cache = useQueryClient();
  const [message, setMessage] = useInputState("");
  const renew = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ["models", cube.id], exact: true }),
      cache.invalidateQueries({ queryKey: ["explore", cube.id] }),
    ]);
  const save = useMutation({
    mutationFn: async () => {
      const response = await request(`/v1/api/integrations/${cube.id}/model`, {
        method: "PUT",
        headers: { "Content-Type": "application/json", "If-Match": `"${saved.version}"` },
        body: JSON.stringify({ files, ...(message.trim() !== "" && { message: message.trim() }) }),
      });
      return (await response.json()) as { model: { version: number }; warnings: string[] };
    },
    onSuccess: async ({ model }) => {
      await renew();
      onSaved();
      showToast(`Saved as version ${model.version}. Questions are answered by it from now on.`);
    },
    onError: async (error) => {
      if (asProblem(error).status !== CONFLICT) return;
      await renew();
      onConflict();
    },
  });
  return (
    <DialogForm work={save} verb="Save">
      <TextChanges changes={textChanges(saved.files, changes)} />
      <TextInput label="Why, for the list of versions" data-autofocus value={message} onChange={setMessage} />
    </DialogForm>
  );
}
