// The page that `fjord login` leads a person to: on which machine, as whom, for how long. The click alone makes a key.

import { useMutation } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import {
  connectCommandLine,
  declineUrl,
  KEY_DAYS,
  requestOf,
  type CommandLineRequest,
} from "../../api/identity/command-line.ts";
import type { Me, Right } from "../../api/me.ts";
import { Button, Checkbox, Group, Stack, Text, Title, useInputState } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { CardPage } from "../../ui/layout/card-page.tsx";

/** With these a key makes others that outlast it: they are given by a tick of their own, or not at all. */
const MANAGING: Right = "team:manage";
const NEVER_GIVEN: Right = "platform:operate";

export function CommandLine({ me }: { me: Me }) {
  const [search] = useSearchParams();
  const request = requestOf(search);
  return (
    <CardPage title="Connect the command line">
      {request ? (
        <Question me={me} request={request} />
      ) : (
        <Text role="alert">
          This address is not whole. Type <code>fjord login</code> again, and open what it prints.
        </Text>
      )}
    </CardPage>
  );
}

function Question({ me, request }: { me: Me; request: CommandLineRequest }) {
  const [isManaging, setManaging] = useInputState(false);
  const scopes = me.rights.filter((right) => right !== NEVER_GIVEN && (right !== MANAGING || isManaging));
  const connecting = useMutation({ mutationFn: () => connectCommandLine(request, scopes), onSuccess: leave });
  return (
    <Stack gap="md">
      <Title order={1}>Connect the command line?</Title>
      <Text size="sm" c="dimmed">
        <b>{request.machine}</b> asks for a key of yours, to act as <b>{me.user.name}</b>, {me.user.email}, in the team{" "}
        <b>{me.team.name}</b>. Go on only if you have typed <code>fjord login</code> there just now.
      </Text>
      {me.rights.includes(MANAGING) && (
        <Checkbox
          checked={isManaging}
          onChange={setManaging}
          label="It may manage the team, too: people, keys and roles"
        />
      )}
      <Text size="sm" c="dimmed">
        The key ends in {KEY_DAYS} days. <code>fjord logout</code> ends it before, and so do you under Account.
      </Text>
      <Group gap="sm">
        <Button loading={connecting.isPending} onClick={() => connecting.mutate()}>
          Connect
        </Button>
        <Button variant="default" onClick={() => leave(declineUrl(request))}>
          Decline
        </Button>
      </Group>
      {connecting.error && <ErrorNote error={connecting.error} />}
    </Stack>
  );
}

/** The address is made here, and is always this machine's own. It is not kept in the browser's history. */
const leave = (to: string): void => location.replace(to);
