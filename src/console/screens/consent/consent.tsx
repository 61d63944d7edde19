// The page that a program leads a person to: who asks, for what, and where the answer goes. The click alone answers.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { letAgentAct, previewAgent, requestOf, type AgentPreview, type AgentScope } from "../../api/identity/agents.ts";
import type { Me } from "../../api/me.ts";
import { Button, Checkbox, Group, Stack, Text, Title } from "../../ui/controls.ts";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { CardPage } from "../../ui/layout/card-page.tsx";

const SCOPES: Record<AgentScope, string> = {
  query: "Ask the lake, the databases and the models, and read the answers",
  "catalog:read": "Look through the catalog",
  "integrations:read": "See the integrations, their syncs and logs",
  drive: "List, read, upload and delete files of the drive",
  "docs:read": "Read docs and their runs",
  "docs:run": "Run docs",
  "jobs:read": "See jobs, their runs and logs",
  "docs:write": "Write docs",
  "integrations:write": "Change integrations, and run their syncs",
  "lake:write": "Write to the lake",
  "jobs:write": "Run jobs, and change them",
};

export function Consent({ me }: { me: Me }) {
  const [search] = useSearchParams();
  const request = requestOf(search);
  const preview = useQuery({
    queryKey: ["agent-preview", request],
    queryFn: () => previewAgent(request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <CardPage title="Let an agent act">
      <Loaded query={preview}>
        {(seen) =>
          seen.refusal_url === null ? (
            <Question me={me} seen={seen} allow={(scopes) => letAgentAct(request, scopes)} />
          ) : (
            <Refused seen={seen} to={seen.refusal_url} />
          )
        }
      </Loaded>
    </CardPage>
  );
}

type QuestionProps = { me: Me; seen: AgentPreview; allow: (scopes: AgentScope[]) => Promise<string> };

function Question({ me, seen, allow }: QuestionProps) {
  const { client, redirect_host: redirectHost, scopes, ends_with_session: endsWithSession } = seen;
  const [given, setGiven] = useState(scopes);
  const allowing = useMutation({ mutationFn: () => allow(given), onSuccess: leave });
  return (
    <Stack gap="md">
      <Title order={1}>Let {client.name} act for you?</Title>
      <Text size="sm" c="dimmed">
        A program of <b>{client.host}</b>, which calls itself {client.name}, asks to act as <b>{me.user.name}</b>,{" "}
        {me.user.email}, in the team <b>{me.team.name}</b>. The answer goes to <b>{redirectHost}</b>. Go on only if you
        have begun this there.
      </Text>
      <Checkbox.Group label="It may" value={given} onChange={(values) => setGiven(values as AgentScope[])}>
        <Stack gap={6} mt={6}>
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPES[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text size="sm" c="dimmed">
        It sees what your roles let you see.{" "}
        {endsWithSession && "It ends with the session that you are signed in with. "}
        Under Account you end it whenever you like.
      </Text>
      <Group gap="sm">
        <Button loading={allowing.isPending} disabled={given.length === 0} onClick={() => allowing.mutate()}>
          Allow
        </Button>
        <Button variant="default" onClick={() => leave(seen.cancel_url)}>
          Decline
        </Button>
      </Group>
      {allowing.error && <ErrorNote error={allowing.error} />}
    </Stack>
  );
}

/** The program reads in the address what is wrong with its request. Nobody is led there without a click. */
function Refused({ seen: { client, redirect_host: redirectHost }, to }: { seen: AgentPreview; to: string }) {
  return (
    <Stack gap="md">
      <Title order={1}>Nothing was allowed</Title>
      <Text size="sm" c="dimmed">
        A program of <b>{client.host}</b>, which calls itself {client.name}, has asked for something that can't be
        given.
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => leave(to)}>
          Go back to {redirectHost}
        </Button>
      </Group>
    </Stack>
  );
}

/** The address is one that the program's own document lists: the platform has made it. */
const leave = (to: string): void => location.assign(to);
