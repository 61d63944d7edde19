// The first rows of a result that is kept as an Arrow stream or as JSON, and a link to all of it.

import { useQuery } from "@tanstack/react-query";
import { Anchor, Code, Stack } from "../controls.ts";
import { Loaded } from "../feedback/states.tsx";
import { TableView } from "./table-view.tsx";

type ResultRowsKind = "frame" | "records" | "json" | "none" | "table";

/** A larger result is only to be downloaded. */
const READ_BYTES_MAX = 32 * 1024 * 1024;
const TEXT_MAX = 20_000;
const DEADLINE_MS = 60_000;

export function ResultRows({ url, kind }: { url: string; kind: ResultRowsKind }) {
  const result = useQuery({
    queryKey: ["result", url.split("?")[0]],
    queryFn: async () => {
      const answer = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
      if (!answer.ok) throw new Error(`The result could not be read: ${answer.status}.`);
      if (Number(answer.headers.get("content-length")) > READ_BYTES_MAX)
        throw new Error("The result is too large to be shown here. Download it.");
      if (kind !== "frame" && kind !== "table") return { text: (await answer.text()).slice(0, TEXT_MAX) };
      const { readArrow } = await import("../grid/arrow-result.ts");
      return { table: readArrow(new Uint8Array(await answer.arrayBuffer())) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
  return (
    <Stack gap="xs">
      <Loaded query={result}>
        {({ table, text }) => (table ? <TableView label="Result" table={table} /> : <Code block>{text}</Code>)}
      </Loaded>
      <Anchor size="xs" href={url} download>
        Download the whole result
      </Anchor>
    </Stack>
  );
}
