// The frame of a screen: its title, what can be done there, and its content. The browser's title follows.

import { Group, Title } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import styles from "./page.module.css";

/** Whether a page was drawn before in this visit: the first one leaves the focus where the browser begins. */
let isLater = false;

type PageProps = {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Buttons at the title's end. */
  actions?: ReactNode;
  /** Above the title: where this lies. */
  trail?: ReactNode;
  /** The content takes the window's whole height and scrolls by itself. */
  isFull?: boolean;
  children: ReactNode;
};

export function Page({ title, lead, actions, trail, isFull = false, children }: PageProps) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // The control that led here went with the page before: the keyboard goes on in this one.
    if (isLater && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    isLater = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · Fjord`;
  }, [title]);
  return (
    <main ref={main} id="content" tabIndex={-1} className={isFull ? styles.full : styles.page}>
      <header className={styles.head}>
        {trail && <nav className={styles.trail}>{trail}</nav>}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} className={styles.title}>
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {lead && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </main>
  );
}

/** A bordered surface with a heading of its own. */
export function Panel({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.panel}>
      {(title !== undefined || actions) && (
        <Group justify="space-between" className={styles.panelHead} gap="sm">
          <Title order={2}>{title}</Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      {children}
    </section>
  );
}
