// One member: role, keys, and the lake as this member sees it.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { useMe } from "../../../api/me.ts";
import type { components } from "../../../api/schema.d.ts";
import { Select } from "../../../ui/controls.ts";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { EmptyState } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { ROLE_TITLES } from "../role-titles.ts";
import { MemberKeys } from "./member-keys.tsx";
import { SeenAs } from "./seen-as.tsx";

type User = components["schemas"]["User"];

const USERS_MAX = 250;

/** The API lists members and has no operation for one alone. */
const useMember = (userId: string) =>
  useQuery({
    queryKey: ["users", "one", userId],
    queryFn: async () => {
      for (let offset = 0; ; offset += USERS_MAX) {
        const page = await dataOf(api.GET("/v4/users", { params: { query: { limit: USERS_MAX, offset } } }));
        const found = page.items.find((user) => user.id === userId);
        if (found || offset + page.items.length >= page.total || page.items.length === 0) return found ?? null;
      }
    },
  });

export function MemberPage({ userId }: { userId: string }) {
  const member = useMember(userId);
  return (
    <Loaded query={member}>
      {(user) =>
        user ? (
          <Member user={user} />
        ) : (
          <Page title="Nobody here" trail={<Link href="/people">People</Link>}>
            <EmptyState title="This member is gone, or never was" />
          </Page>
        )
      }
    </Loaded>
  );
}

function Member({ user }: { user: User }) {
  const me = useMe();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const path = { user_id: user.id };
  const change = useMutation({
    mutationFn: (role: User["role"]) => bodyOf(api.PATCH("/v4/users/{user_id}", { params: { path }, body: { role } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["users"] }),
    onError: (error) => showToast(error.message, "bad"),
  });
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE("/v4/users/{user_id}", { params: { path } })),
    onSuccess: async () => {
      navigate("/people");
      showToast(`${user.name} is no member any more.`);
      await cache.invalidateQueries({ queryKey: ["users"] });
    },
    onError: (error) => showToast(error.message, "bad"),
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
        <Select
          aria-label="Role"
          w={220}
          allowDeselect={false}
          disabled={change.isPending}
          data={Object.entries(ROLE_TITLES).map(([value, label]) => ({ value, label }))}
          value={user.role}
          onChange={(role) => change.mutate(role as User["role"])}
        />
      </Panel>
      <MemberKeys user={user} />
      <SeenAs user={user} />
    </Page>
  );
}
