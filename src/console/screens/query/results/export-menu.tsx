// Exports a result whole: the statement is asked anew in another format, and the answer becomes a file.

import { Button, Menu } from "../../../ui/controls.ts";
import { Icon } from "../../../ui/icons.tsx";
import type { Run } from "../run/run.ts";
import { FORMATS, sendStatement, type Format } from "../run/send-statement.ts";
import { useAction } from "../../../ui/feedback/use-action.ts";

const KEPT_MS = 60_000;

export function ExportMenu({ run }: { run: Run }) {
  const download = useAction(async (format: Format) => {
    const { signal } = new AbortController();
    const sent = { id: crypto.randomUUID(), sql: run.sent, question: run.question, signal, format };
    const blob = await (await sendStatement(sent)).blob();
    saveFile(blob, `result.${FORMATS[format].ending}`);
  });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          ml="auto"
          loading={download.isPending}
          leftSection={<Icon name="download" size={14} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All rows; the statement runs again</Menu.Label>
        {(Object.keys(FORMATS) as Format[]).map((format) => (
          <Menu.Item key={format} onClick={() => download.mutate(format)}>
            {FORMATS[format].title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
