// One member: role, keys, and the lake as this member sees it.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { useMe } from "../../../api/me.ts";
import { asProblem } from "../../../api/problem.ts";
import type { components } from "../../../api/schema.d.ts";
import { Choice } from "../../../ui/controls.ts";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { ROLE_TITLES } from "../role-titles.ts";
import { MemberKeys } from "./member-keys.tsx";
import { SeenAs } from "./seen-as.tsx";

type User = components["schemas"]["User"];

const NOT_FOUND = 404;

export function MemberPage({ id }: { id: string }) {
  const member = useQuery({
    queryKey: ["users", "one", id],
    queryFn: () => dataOf(api.GET("/v4/users/{user_id}", { params: { path: { user_id: id } } })),
  });
  if (member.error && asProblem(member.error).status === NOT_FOUND)
    return (
      <Page title="Nobody here" trail={<Link href="/people">People</Link>}>
        <EmptyState title="This member is gone, or never was" />
      </Page>
    );
  return <Loaded query={member}>{(user) => <Member user={user} />}</Loaded>;
}

function Member({ user }: { user: User }) {
  const me = useMe();
  const [, navigate] = useLocation();
  const path = { user_id: user.id };
  const change = useAction(
    (role: User["role"]) => bodyOf(api.PATCH("/v4/users/{user_id}", { params: { path }, body: { role } })),
    { renews: ["users"] },
  );
  const remove = useAction(() => bodyOf(api.DELETE("/v4/users/{user_id}", { params: { path } })), {
    renews: ["users"],
    onDone: () => {
      navigate("/people");
      showToast(`${user.name} is no member any more.`);
    },
  });
  return (
    <Page
      title={user.name}
      lead={user.email}
      trail={<Link href="/people">People</Link>}
      actions={
        user.id !== me.user.id && (
          <ConfirmButton
            question={`${user.name} loses every key and session. What they made stays.`}
            verb="Remove"
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            Remove from the team
          </ConfirmButton>
        )
      }
    >
      <Panel title="Role">
        <Choice
          aria-label="Role"
          w={220}
          disabled={change.isPending}
          data={ROLE_TITLES}
          value={user.role}
          onChange={change.mutate}
        />
      </Panel>
      <MemberKeys user={user} />
      <SeenAs user={user} />
    </Page>
  );
}
