// Has the result of a saved query mailed, once or on a schedule: a delivery, and a job that runs it.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMe } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { Select, TextInput, useInputState } from "../../ui/controls.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";

const SCHEDULES = [
  { value: "0 7 * * *", label: "Every day at 07:00" },
  { value: "0 7 * * 1", label: "Mondays at 07:00" },
  { value: "0 7 1 * *", label: "The first of the month at 07:00" },
  { value: "0 * * * *", label: "Every hour" },
];
const FILES = [
  { value: "none", label: "Rows in the mail" },
  { value: "csv", label: "CSV attached" },
  { value: "parquet", label: "Parquet attached" },
];

type DeliverDialogProps = { query: components["schemas"]["SavedQueryDetail"]; onClose: () => void };

export function DeliverDialog({ query, onClose }: DeliverDialogProps) {
  const { user } = useMe();
  const [address, setAddress] = useInputState(user.email ?? "");
  const [cron, setCron] = useState(SCHEDULES[0]!.value);
  const [files, setFiles] = useState("none");
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const deliver = useMutation({
    mutationFn: async () => {
      const delivery = await dataOf(
        api.POST("/v4/deliveries", {
          body: {
            name: query.name,
            source: { kind: "query", query_id: query.id },
            to: [{ channel: "email", address: address.trim() }],
            ...(files !== "none" && { files: { format: files } }),
          } as components["schemas"]["NewDelivery"],
        }),
      );
      return bodyOf(
        api.POST("/v4/automations/jobs", {
          body: {
            resourceType: "delivery",
            resourceId: delivery.id,
            schedule: { cron, timezone },
          } as components["schemas"]["NewDeliveryJob"],
        }),
      );
    },
    onSuccess: () => {
      onClose();
      showToast("Scheduled. It is listed under Deliveries.");
    },
  });
  return (
    <DialogForm work={deliver} verb="Schedule">
      <TextInput label="To" type="email" required data-autofocus value={address} onChange={setAddress} />
      <Select
        label="When"
        description={`Times are of ${timezone}.`}
        allowDeselect={false}
        data={SCHEDULES}
        value={cron}
        onChange={(value) => setCron(value!)}
      />
      <Select label="As" allowDeselect={false} data={FILES} value={files} onChange={(value) => setFiles(value!)} />
    </DialogForm>
  );
}
