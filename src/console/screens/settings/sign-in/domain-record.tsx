// The DNS record that proves a domain, to be copied, with the button that looks for it.

import { useMutation } from "@tanstack/react-query";
import { api, dataOf } from "../../../api/client.ts";
import type { components } from "../../../api/schema.d.ts";
import { Button, Stack } from "../../../ui/controls.ts";
import { Snippet } from "../../../ui/data/snippet.tsx";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";

type Props = { domain: components["schemas"]["TeamDomain"]; onProven: () => Promise<void> };

export function DomainRecord({ domain: { id, domain, record }, onProven }: Props) {
  const verify = useMutation({
    mutationFn: () => dataOf(api.POST("/v4/team/domains/{domain_id}/verify", { params: { path: { domain_id: id } } })),
    onSuccess: () => {
      showToast(`${domain} is proven.`, "good");
      return onProven();
    },
  });
  return (
    <Stack gap="xs" align="stretch" role="group" aria-label={`Proof of ${domain}`}>
      <p>
        To prove that {domain} is yours, add this {record.type} record where its DNS is kept. It can take a while to be
        seen.
      </p>
      <Snippet text={record.name} label={`Name of the record of ${domain}`} />
      <Snippet text={record.value} label={`Value of the record of ${domain}`} />
      <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
        Look for the record
      </Button>
      {verify.error && <ErrorNote error={verify.error} />}
    </Stack>
  );
}
