// The field of a term's links: tables and members, found by their words as the catalog's search finds them.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { MultiSelect, useDebouncedValue } from "../../ui/controls.ts";

export type Link = { integration_id: string; name: string };

const QUIET_MS = 250;
const FOUND_MAX = 20;
/** A link as one text has it between id and name: an id has no blank. */
const GAP = " ";

export function LinkField({ links, onChange }: { links: Link[]; onChange: (links: Link[]) => void }) {
  const mayLook = useMay("catalog:read");
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text.trim(), QUIET_MS);
  const { data: found = [] } = useQuery({
    queryKey: ["catalog", "links", asked],
    enabled: mayLook && asked !== "",
    queryFn: async () => {
      const query = { text: asked, kind: ["table", "member"] as ("table" | "member")[], limit: FOUND_MAX };
      const { items } = await dataOf(api.GET("/v4/catalog/search", { params: { query } }));
      return items.flatMap(({ integration_id: id, name }) => (id === null ? [] : [{ integration_id: id, name }]));
    },
  });
  const options = new Map([...links, ...found].map((link) => [keyOf(link), link.name]));
  return (
    <MultiSelect
      label="Tables and members"
      description="Found by the words of their names"
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The platform has searched: its hits need not have the words as they were typed.
      filter={({ options: all }) => all}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={links.map(keyOf)}
      onChange={(keys) => onChange(keys.map(linkOf))}
      nothingFoundMessage={asked === "" ? "Type a word" : "Nothing like that"}
    />
  );
}

const keyOf = ({ integration_id: id, name }: Link): string => `${id}${GAP}${name}`;

function linkOf(key: string): Link {
  const at = key.indexOf(GAP);
  return { integration_id: key.slice(0, at), name: key.slice(at + GAP.length) };
}
