// Has the result of a saved query mailed, once or on a schedule: a delivery, and a job that runs it.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMe } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { Choice, TextInput, useInputState } from "../../ui/controls.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";

const SCHEDULES = {
  "0 7 * * *": "Every day at 07:00",
  "0 7 * * 1": "Mondays at 07:00",
  "0 7 1 * *": "The first of the month at 07:00",
  "0 * * * *": "Every hour",
};
const FILES = { none: "Rows in the mail", csv: "CSV attached", parquet: "Parquet attached" };

type DeliverDialogProps = { query: components["schemas"]["SavedQueryDetail"]; onClose: () => void };

export function DeliverDialog({ query, onClose }: DeliverDialogProps) {
  const { user } = useMe();
  const [address, setAddress] = useInputState(user.email ?? "");
  const [cron, setCron] = useState(Object.keys(SCHEDULES)[0]!);
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
      <Choice label="When" description={`Times are of ${timezone}.`} data={SCHEDULES} value={cron} onChange={setCron} />
      <Choice label="As" data={FILES} value={files} onChange={setFiles} />
    </DialogForm>
  );
}
