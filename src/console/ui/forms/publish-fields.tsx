// A publication to callers who are no users has a name in an address, and a role that it reads by.

import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";

const CHOICES_MAX = 100;
const ADDRESS_CHARACTERS_MAX = 63;

/** The calls that one may make within a minute, of what is published anew. */
export const RATE_PER_MINUTE = 600;

type PublishFieldsProps = {
  name: string;
  onName: (name: string) => void;
  roleId: string | null;
  onRole: (roleId: string | null) => void;
  /** Who reads what the role reads. */
  readers: "Callers" | "Readers";
};

export function PublishFields({ name, onName, roleId, onRole, readers }: PublishFieldsProps) {
  const roles = useQuery({
    queryKey: ["roles", "choices"],
    queryFn: () => dataOf(api.GET("/v4/data-access/roles", { params: { query: { limit: CHOICES_MAX } } })),
  });
  return (
    <>
      <TextInput
        label="Name"
        description="It is part of the address: small letters, digits and dashes."
        required
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Select
        label="Role"
        description={`${readers} see what this role reads, and nothing else.`}
        searchable
        required
        data={(roles.data?.items ?? []).map(({ id, name: label }) => ({ value: id, label }))}
        value={roleId}
        onChange={onRole}
      />
    </>
  );
}

/** A name as an address takes it: it begins with a letter. */
export const addressName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-$/g, "")
    .slice(0, ADDRESS_CHARACTERS_MAX);
