// A dashboard is published to people who are no users: as which name, under which role, and within whose pages.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import type { DocDetail } from "../../../api/docs.ts";
import { Modal, MultiSelect, TagsInput } from "../../../ui/controls.ts";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { DialogForm } from "../../../ui/forms/dialog-form.tsx";
import { addressName, PublishFields, RATE_PER_MINUTE } from "../../../ui/forms/publish-fields.tsx";
import { PublishedView } from "./published-view.tsx";
import { useFormAction } from "../../../ui/feedback/use-action.ts";

const LISTED_MAX = 250;

type PublishDialogProps = { doc: DocDetail; parameters: readonly string[]; isOpen: boolean; onClose: () => void };

export const PublishDialog = ({ doc, parameters, isOpen, onClose }: PublishDialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Show it in other pages" size="xl">
    {isOpen && <Content doc={doc} parameters={parameters} />}
  </Modal>
);

function Content({ doc, parameters }: Pick<PublishDialogProps, "doc" | "parameters">) {
  const published = useQuery({
    queryKey: ["published-dashboards"],
    queryFn: () => dataOf(api.GET("/v4/published-dashboards", { params: { query: { limit: LISTED_MAX } } })),
  });
  return (
    <Loaded query={published}>
      {({ items }) => {
        const own = items.find(({ doc_id: docId }) => docId === doc.id);
        return own ? (
          <PublishedView published={own} newestVersion={doc.version} />
        ) : (
          <NewPublished doc={doc} parameters={parameters} />
        );
      }}
    </Loaded>
  );
}

function NewPublished({ doc, parameters }: Pick<PublishDialogProps, "doc" | "parameters">) {
  const [name, setName] = useState(() => addressName(doc.name));
  const [roleId, setRoleId] = useState<string | null>(null);
  const [origins, setOrigins] = useState<string[]>([]);
  const [open, setOpen] = useState<string[]>([]);
  const publish = useFormAction(
    () =>
      dataOf(
        api.POST("/v4/published-dashboards", {
          body: {
            name: name.trim(),
            doc_id: doc.id,
            doc_version: doc.version,
            role_id: roleId!,
            description: null,
            audience: "fjord",
            // None of their digits is lost in a browser.
            numbers: "string",
            rate_per_minute: RATE_PER_MINUTE,
            frame_ancestors: origins,
            open_parameters: open,
          },
        }),
      ),
    { renews: ["published-dashboards"] },
  );
  return (
    <DialogForm work={publish} verb="Publish" isIncomplete={!roleId || name.trim() === ""}>
      <PublishFields name={name} onName={setName} roleId={roleId} onRole={setRoleId} readers="Readers" />
      <TagsInput
        label="Pages that may show it"
        description="Origins, such as https://portal.example.com. Without any no page may."
        value={origins}
        onChange={setOrigins}
      />
      {parameters.length > 0 && (
        <MultiSelect
          label="Parameters that readers may choose"
          description="Unless their token binds them."
          data={[...parameters]}
          value={open}
          onChange={setOpen}
        />
      )}
    </DialogForm>
  );
}
