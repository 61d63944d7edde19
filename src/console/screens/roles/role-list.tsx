// The data roles of the team, and the dialog that makes one.

import { Link, useLocation } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Modal, TextInput, useDisclosure, useInputState } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const PAGE_ROWS = 100;

export function RoleList() {
  const [isAdding, adding] = useDisclosure(false);
  const pages = usePages(["roles"], (offset) =>
    dataOf(api.GET("/v4/data-access/roles", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      Make a role
    </Button>
  );
  return (
    <Page
      title="Data roles"
      lead="A member in no role reads everything. One in a role reads what its roles grant: tables, rows and columns."
      actions={add}
    >
      <PagedTable
        label="Data roles"
        pages={pages}
        keyOf={(role) => role.id}
        empty={
          <EmptyState title="Everybody reads everything" action={add}>
            Make a role, grant it tables, and put members into it: from then on they read that, and nothing else.
          </EmptyState>
        }
        columns={[
          { name: "Name", cell: (role) => <Link href={`/roles/${role.id}`}>{role.name}</Link> },
          { name: "Description", cell: (role) => role.description ?? "" },
          { name: "Grants", isNumber: true, cell: (role) => role.grants.length },
          { name: "Members", isNumber: true, cell: (role) => role.members },
          { name: "Changed", cell: (role) => <Time at={role.updated_at} /> },
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title="Make a role">
        {isAdding && <NewRole />}
      </Modal>
    </Page>
  );
}

function NewRole() {
  const [, navigate] = useLocation();
  const [name, setName] = useInputState("");
  const create = useFormAction(
    () => dataOf(api.POST("/v4/data-access/roles", { body: { name: name.trim(), description: null, grants: [] } })),
    { renews: ["roles"], onRenewed: (role) => navigate(`/roles/${role.id}`) },
  );
  return (
    <DialogForm work={create} verb="Make the role">
      <TextInput label="Name" required data-autofocus value={name} onChange={setName} />
    </DialogForm>
  );
}
