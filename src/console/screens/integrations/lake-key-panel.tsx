// The key by which a team's own Trino reads its lake is made here, shown once within the file for the cluster, and
// revoked.

import { useMutation } from "@tanstack/react-query";
import { api, bodyOf } from "../../api/client.ts";
import { Button, Group } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";

export function LakeKeyPanel({ integrationId, catalog }: { integrationId: string; catalog: string }) {
  const params = { path: { integration_id: integrationId } };
  const make = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/api/integrations/{integration_id}/lake_key", { params })),
  });
  const revoke = useAction(() => bodyOf(api.DELETE("/v1/api/integrations/{integration_id}/lake_key", { params })), {
    onDone: () => {
      make.reset();
      showToast("The key is revoked.");
    },
  });
  const file = `etc/catalog/${catalog}.properties`;
  return (
    <Panel title="Key of the lake">
      <p>
        The cluster reads the lake&apos;s tables by a key that opens nothing else. A new one takes the place of the one
        before.
      </p>
      {make.error && <ErrorNote error={make.error} />}
      {make.data && (
        <ShownOnce title={file} secret={make.data.lake_properties}>
          {`Put this into ${file} on each node of the cluster, start it anew, and test the integration. The key in it is not shown again.`}
        </ShownOnce>
      )}
      <Group gap="sm">
        <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          Make a new key
        </Button>
        <ConfirmButton
          question="The cluster's statements on the lake fail from now on."
          verb="Revoke it"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
        >
          Revoke the key
        </ConfirmButton>
      </Group>
    </Panel>
  );
}
