// The uploads of this page. They go on while one looks at other screens, one file after another.

import { useSyncExternalStore } from "react";
import { Upload, type UploadView } from "./upload.ts";

type Listener = () => void;

let uploads: readonly Upload[] = [];
let views: readonly UploadView[] = [];
const listeners = new Set<Listener>();

function changed(): void {
  views = uploads.map(({ view }) => view);
  for (const listener of listeners) listener();
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUploads = (): readonly UploadView[] => useSyncExternalStore(subscribe, () => views);

/** `onDone` is called after each file that has arrived. */
export async function uploadFiles(files: readonly File[], folder: string, onDone: () => void): Promise<void> {
  const added = files.map((file) => new Upload(file, `${folder}${file.webkitRelativePath || file.name}`, changed));
  uploads = [...uploads, ...added];
  changed();
  for (const upload of added) {
    if (upload.view.state === "cancelled") continue;
    await upload.run();
    if (upload.view.state === "done") onDone();
  }
}

const find = (id: number): Upload | undefined => uploads.find((upload) => upload.id === id);

export const pauseUpload = (id: number): void => find(id)?.pause();

export async function resumeUpload(id: number, onDone: () => void): Promise<void> {
  const upload = find(id);
  await upload?.run();
  if (upload?.view.state === "done") onDone();
}

export const cancelUpload = async (id: number): Promise<void> => find(id)?.cancel();

/** Takes away what is over. */
export function clearUploads(): void {
  uploads = uploads.filter(({ view }) => view.state === "running" || view.state === "paused");
  changed();
}

addEventListener("beforeunload", (event) => {
  if (views.some(({ state }) => state === "running")) event.preventDefault();
});
