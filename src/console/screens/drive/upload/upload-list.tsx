// The uploads that are under way or over, each with its progress and what can be done to it.

import { ActionIcon, Button, Group } from "../../../ui/controls.ts";
import { formatBytes } from "../../../ui/data/format.ts";
import { State, type Tone } from "../../../ui/data/values.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { ProgressBar } from "../../../ui/figures/progress-bar.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { cancelUpload, clearUploads, pauseUpload, resumeUpload, useUploads } from "./uploads.ts";
import type { UploadState, UploadView } from "./upload.ts";
import styles from "../drive.module.css";

const STATES: Record<UploadState, { tone: Tone; text: string }> = {
  running: { tone: "busy", text: "uploading" },
  paused: { tone: "quiet", text: "paused" },
  done: { tone: "good", text: "there" },
  failed: { tone: "bad", text: "failed" },
  cancelled: { tone: "quiet", text: "cancelled" },
};

export function UploadList({ onDone }: { onDone: () => void }) {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <Panel
      title="Uploads"
      actions={
        <Button size="compact-xs" variant="default" onClick={clearUploads}>
          Clear what is over
        </Button>
      }
    >
      <ul className={styles.uploads}>
        {uploads.map((upload) => (
          <Entry key={upload.id} upload={upload} onDone={onDone} />
        ))}
      </ul>
    </Panel>
  );
}

function Entry({
  upload: { id, path, bytes, sent, state, error },
  onDone,
}: {
  upload: UploadView;
  onDone: () => void;
}) {
  const share = bytes === 0 ? Number(state === "done") : sent / bytes;
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <span className={styles.path}>{path}</span>
        <Group gap="xs">
          <small>
            {formatBytes(state === "done" ? bytes : sent)} of {formatBytes(bytes)}
          </small>
          <State tone={STATES[state].tone}>{STATES[state].text}</State>
          {state === "running" && (
            <Button size="compact-xs" variant="default" aria-label={`Pause ${path}`} onClick={() => pauseUpload(id)}>
              Pause
            </Button>
          )}
          {(state === "paused" || state === "failed") && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Resume ${path}`}
              onClick={() => void resumeUpload(id, onDone)}
            >
              Resume
            </Button>
          )}
          {state !== "done" && state !== "cancelled" && (
            <ActionIcon aria-label={`Cancel ${path}`} onClick={() => void cancelUpload(id)}>
              <Icon name="close" size={14} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      <ProgressBar label={`Upload of ${path}`} share={share} />
      {error && <small role="alert">{error.message}</small>}
    </li>
  );
}
