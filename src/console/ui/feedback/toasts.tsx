// Toasts tell that something happened which the screen does not show by itself. Screen readers hear them.

import { CloseButton } from "@mantine/core";
import { useSyncExternalStore } from "react";
import styles from "./toasts.module.css";

type Tone = "good" | "bad";
type Toast = { id: number; tone: Tone; text: string };

const SHOWN_MS = 6_000;
const TOASTS_MAX = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

/** Shows a sentence for some seconds; what went wrong stays until it is closed. */
export function showToast(text: string, tone: Tone = "good"): void {
  const id = ++lastId;
  change([...toasts, { id, tone, text }].slice(-TOASTS_MAX));
  if (tone === "good") setTimeout(() => dismiss(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <output className={styles.stack} aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={styles.toast} data-tone={tone}>
          <span>{text}</span>
          <CloseButton size="sm" aria-label="Close this message" onClick={() => dismiss(id)} />
        </div>
      ))}
    </output>
  );
}
