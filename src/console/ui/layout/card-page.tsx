// A page that is one card in the middle: it is shown instead of the shell, where somebody has to decide first.

import { useEffect, type ReactNode } from "react";
import { Wordmark } from "../theme/wordmark.tsx";
import styles from "./card-page.module.css";

/** `title` is the document's. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Fjord`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Wordmark />
        {children}
      </div>
    </main>
  );
}
