// A data role has members. Somebody who comes in is bound from the next statement on.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Select } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 100;
const USERS_MAX = 250;

export function RoleMembers({ roleId }: { roleId: string }) {
  const queryKey = ["roles", roleId, "members"];
  const pages = usePages(queryKey, (offset) =>
    dataOf(
      api.GET("/v4/data-access/roles/{role_id}/members", {
        params: { path: { role_id: roleId }, query: { limit: PAGE_ROWS, offset } },
      }),
    ),
  );
  const users = useQuery({
    queryKey: ["users", "choices"],
    queryFn: () => dataOf(api.GET("/v4/users", { params: { query: { limit: USERS_MAX } } })),
  });
  const change = useAction(
    ({ userId, isIn }: { userId: string; isIn: boolean }) => {
      const params = { path: { role_id: roleId, user_id: userId } };
      return isIn
        ? bodyOf<unknown>(api.PUT("/v4/data-access/roles/{role_id}/members/{user_id}", { params }))
        : bodyOf<unknown>(api.DELETE("/v4/data-access/roles/{role_id}/members/{user_id}", { params }));
    },
    { renews: ["roles"] },
  );
  const inside = new Set(pages.items?.map((member) => member.user_id));
  return (
    <Panel
      title="Members"
      actions={
        <Select
          aria-label="Put somebody into the role"
          placeholder="Put somebody in …"
          size="xs"
          searchable
          value={null}
          data={(users.data?.items ?? [])
            .filter((user) => !inside.has(user.id))
            .map((user) => ({ value: user.id, label: `${user.name} (${user.email})` }))}
          onChange={(userId) => userId && change.mutate({ userId, isIn: true })}
        />
      }
    >
      <PagedTable
        label="Members of the role"
        pages={pages}
        keyOf={(member) => member.user_id}
        empty={<p>Nobody is in this role: it binds nobody yet.</p>}
        columns={[
          { name: "Name", cell: (member) => <Link href={`/people/${member.user_id}`}>{member.name}</Link> },
          { name: "E-mail", cell: (member) => member.email },
          { name: "Since", cell: (member) => <Time at={member.added_at} /> },
          {
            name: "",
            cell: (member) => (
              <Group justify="end">
                <Button
                  size="xs"
                  variant="default"
                  disabled={change.isPending}
                  onClick={() => change.mutate({ userId: member.user_id, isIn: false })}
                >
                  Take out
                </Button>
              </Group>
            ),
          },
        ]}
      />
    </Panel>
  );
}
