// The members of the team, and the dialog that makes one.

import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { useMe } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Choice, Modal, TextInput, useDisclosure, useInputState } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ROLE_TITLES } from "./role-titles.ts";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { useFormAction } from "../../ui/feedback/use-action.ts";

type User = components["schemas"]["User"];

const PAGE_ROWS = 100;

export function MemberList() {
  const me = useMe();
  const [isAdding, adding] = useDisclosure(false);
  const pages = usePages(["users"], (offset) =>
    dataOf(api.GET("/v4/users", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  return (
    <Page
      title="People"
      lead="Everybody who may use this team's data. Admins manage the team; what members read is decided by data roles."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
          Add a member
        </Button>
      }
    >
      <PagedTable
        label="Members"
        pages={pages}
        keyOf={(user) => user.id}
        empty={<EmptyState title="Nobody is here yet" />}
        columns={[
          {
            name: "Name",
            cell: (user) => (
              <Link href={`/people/${user.id}`}>
                {user.name}
                {user.id === me.user.id && " (you)"}
              </Link>
            ),
          },
          { name: "E-mail", cell: (user) => user.email },
          { name: "Role", cell: (user) => ROLE_TITLES[user.role] + (user.is_operator ? ", operator" : "") },
          { name: "Since", cell: (user: User) => <Time at={user.created_at} /> },
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title="Add a member">
        {isAdding && <NewMember />}
      </Modal>
    </Page>
  );
}

function NewMember() {
  const [, navigate] = useLocation();
  const [name, setName] = useInputState("");
  const [email, setEmail] = useInputState("");
  const [role, setRole] = useState<User["role"]>("member");
  const create = useFormAction(
    () => dataOf(api.POST("/v4/users", { body: { name: name.trim(), email: email.trim(), role } })),
    { renews: ["users"], onRenewed: (user) => navigate(`/people/${user.id}`) },
  );
  return (
    <DialogForm work={create} verb="Add">
      <TextInput label="Name" required data-autofocus value={name} onChange={setName} />
      <TextInput label="E-mail" type="email" required value={email} onChange={setEmail} />
      <Choice label="Role" data={ROLE_TITLES} value={role} onChange={setRole} />
    </DialogForm>
  );
}
