// The palette (Ctrl K, or ⌘K) finds every screen, and whatever the sources of things find by name. Recent choices come
// first.

import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { useMe } from "../../api/me.ts";
import { SCREEN_LIST } from "../../screens/screens.ts";
import { Modal, useHotkeys, useInputState } from "../../ui/controls.ts";
import { Icon } from "../../ui/icons.tsx";
import { mayOpen } from "../open-screen.ts";
import { rankTargets, rememberTarget, type Target } from "./targets.ts";
import { useThings } from "./things.ts";
import styles from "./palette.module.css";

type PaletteProps = { isOpen: boolean; onOpen: () => void; onClose: () => void };

export function Palette({ isOpen, onOpen, onClose }: PaletteProps) {
  // In fields and editors, too: it is no key that types anything.
  useHotkeys([["mod+K", onOpen]], [], true);
  // Where it leads takes the focus; where it leads nowhere, the focus is where it was.
  const [hasChosen, setChosen] = useState(false);
  useEffect(() => {
    if (isOpen) setChosen(false);
  }, [isOpen]);
  const choose = () => {
    setChosen(true);
    (document.activeElement as HTMLElement | null)?.blur();
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      returnFocus={!hasChosen}
      attributes={{ content: { "aria-label": "Go to" } }}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      centered={false}
    >
      {isOpen && <Finder onChoose={choose} />}
    </Modal>
  );
}

function Finder({ onChoose }: { onChoose: () => void }) {
  const me = useMe();
  const [, navigate] = useLocation();
  const listId = useId();
  const [text, setText] = useInputState("");
  const [at, setAt] = useState(0);
  const screens: Target[] = SCREEN_LIST.filter((screen) => mayOpen(screen, me)).map(({ title, icon, path, words }) => ({
    title,
    icon,
    path,
    words,
    kind: "Screen",
  }));
  const { things, isLooking } = useThings(text);
  const found = rankTargets([...screens, ...things], text);
  useEffect(() => setAt(0), [text]);
  const open = (target: Target | undefined) => {
    if (!target) return;
    rememberTarget(target);
    onChoose();
    navigate(target.path);
  };
  const input = useRef<HTMLInputElement>(null);
  // A dialog that ends meanwhile gives the focus back to where it was before: it belongs here.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.parentElement?.contains(relatedTarget)) requestAnimationFrame(() => input.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((now) => Math.max(0, Math.min(found.length - 1, now + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(found[at]);
    }
  };
  return (
    <div className={styles.palette}>
      <input
        ref={input}
        className={styles.input}
        placeholder="Go to a screen, table, doc, sync …"
        aria-label="Go to"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[at] ? `${listId}-${at}` : undefined}
        data-autofocus
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <div id={listId} role="listbox" aria-label="Found" className={styles.list}>
        {found.map((target, index) => (
          <div
            key={target.path}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(node) => {
              if (index === at) node?.scrollIntoView({ block: "nearest" });
            }}
            onMouseMove={() => setAt(index)}
            onClick={() => open(target)}
            onKeyDown={onKeyDown}
          >
            <Icon name={target.icon} />
            <span>{target.title}</span>
            <small>{target.kind}</small>
          </div>
        ))}
        {found.length === 0 && <p>{isLooking ? "Looking …" : "Nothing of that name."}</p>}
      </div>
    </div>
  );
}
