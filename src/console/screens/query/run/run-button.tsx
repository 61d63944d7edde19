// Runs the statement; while it runs the button counts the seconds and cancels.

import { Button } from "../../../ui/controls.ts";
import { useNow } from "../../../ui/data/values.tsx";
import { Icon } from "../../../ui/icons.tsx";
import type { Run } from "./run.ts";

const TICK_MS = 100;
/** A button that is red at once would blink with every short statement. */
const RED_AFTER_MS = 2_000;

type RunButtonProps = { run: Run | undefined; onRun: () => void; onCancel: () => void };

export function RunButton({ run, onRun, onCancel }: RunButtonProps) {
  if (run?.state === "running") return <Counting startedAt={run.startedAt} onCancel={onCancel} />;
  return (
    <Button size="xs" w={112} leftSection={<Icon name="play" size={14} />} title="Ctrl Enter" onClick={onRun}>
      Run
    </Button>
  );
}

function Counting({ startedAt, onCancel }: { startedAt: number; onCancel: () => void }) {
  const waited = Math.max(0, useNow(TICK_MS) - startedAt);
  return (
    <Button
      size="xs"
      w={112}
      {...(waited > RED_AFTER_MS && { color: "red" })}
      leftSection={<Icon name="stop" size={14} />}
      title="Esc"
      aria-label="Cancel"
      onClick={onCancel}
    >
      {(waited / 1_000).toFixed(1)} s
    </Button>
  );
}
