// A published dashboard: what a page takes to show it, at which version it is, and the secret that signs its tokens.

import { api, bodyOf, dataOf } from "../../../api/client.ts";
import type { components } from "../../../api/schema.d.ts";
import { Button, Group, Stack, Text } from "../../../ui/controls.ts";
import { Snippet } from "../../../ui/data/snippet.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../../ui/forms/shown-once.tsx";
import { embeddingSnippet } from "./snippet.ts";

type PublishedViewProps = { published: components["schemas"]["PublishedDashboard"]; newestVersion: number };

const SECRET_OVERLAP_SECONDS = 3_600;

export function PublishedView({ published, newestVersion }: PublishedViewProps) {
  const { doc_version: version, frame_ancestors: origins, takes_tokens: takesTokens } = published;
  const params = { path: { published_dashboard_id: published.id } };
  const renewing = { renews: ["published-dashboards"] };
  const update = useAction(
    () =>
      dataOf(
        api.PATCH("/v4/published-dashboards/{published_dashboard_id}", {
          params,
          body: { doc_version: newestVersion },
        }),
      ),
    renewing,
  );
  const withdraw = useAction(
    () => bodyOf(api.DELETE("/v4/published-dashboards/{published_dashboard_id}", { params })),
    renewing,
  );
  const rotate = useAction(
    () =>
      dataOf(
        api.POST("/v4/published-dashboards/{published_dashboard_id}/secret", {
          params,
          body: { overlap_seconds: takesTokens ? SECRET_OVERLAP_SECONDS : 0 },
        }),
      ),
    renewing,
  );
  return (
    <Stack gap="sm">
      <Text size="sm">
        Version {version} is shown as <b>{published.name}</b>{" "}
        {origins.length === 0 ? "in no other page" : `in pages of ${origins.join(", ")}`}. Your server signs a token for
        each reader, and answers it at <code>/dashboard-token</code> or wherever you say here:
      </Text>
      <Snippet text={embeddingSnippet(published, location.origin)} label="What a page takes to show it" />
      {!takesTokens && (
        <Text size="sm">Nobody can open it yet: make the secret that your server signs tokens with.</Text>
      )}
      {rotate.data && <ShownOnce title="The secret" secret={rotate.data.secret} />}
      <Group gap="xs">
        {version !== newestVersion && (
          <Button size="xs" loading={update.isPending} onClick={() => update.mutate()}>
            Show version {newestVersion}
          </Button>
        )}
        <ConfirmButton
          question={
            takesTokens ? "Tokens of the secret before are taken for one more hour." : "The secret is shown once."
          }
          verb={takesTokens ? "Make a new secret" : "Make the secret"}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        >
          {takesTokens ? "Make a new secret" : "Make the secret"}
        </ConfirmButton>
        <ConfirmButton
          question="Every page that shows it shows nothing from now on."
          verb="Withdraw"
          isBusy={withdraw.isPending}
          onConfirm={() => withdraw.mutate()}
        >
          Withdraw
        </ConfirmButton>
      </Group>
    </Stack>
  );
}
