// Model members are listed to choose from: searched by typing, walked by arrows, chosen by Enter or a click.

import { useId, useRef, useState, type KeyboardEvent } from "react";
import { SearchField } from "../../../ui/data/search-field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { searchMembers, type Member, type MemberKind } from "../state/members.ts";
import styles from "./member-list.module.css";

/** A longer list is narrowed by typing. */
const SHOWN_MAX = 400;

const KINDS: Record<MemberKind, { mark: string; word: string }> = {
  measure: { mark: "Σ", word: "Measure" },
  dimension: { mark: "A", word: "Dimension" },
  time: { mark: "◷", word: "Time" },
  segment: { mark: "⊂", word: "Segment" },
};

type MemberListProps = {
  members: readonly Member[];
  isChosen: (name: string) => boolean;
  onToggle: (member: Member) => void;
};

export function MemberList({ members, isChosen, onToggle }: MemberListProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = searchMembers(members, text);
  const shown = found.slice(0, SHOWN_MAX);
  const at = Math.min(active, shown.length - 1);
  const optionId = (place: number) => `${id}-${place}`;
  const move = (place: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, place));
    setActive(next);
    list.current?.querySelector(`#${CSS.escape(optionId(next))}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) move(at + step);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && shown[at]) onToggle(shown[at]);
    else if (event.key === "Escape" && text !== "") setText("");
    else return;
    event.preventDefault();
  };
  const cubes = [...new Set(shown.map(({ cube }) => cube))];
  return (
    <div className={styles.list}>
      <SearchField
        role="combobox"
        aria-label="Find a member"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? optionId(at) : undefined}
        placeholder="Find a measure or dimension"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={id}
        className={styles.options}
        role="listbox"
        aria-label="Members"
        aria-multiselectable="true"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {cubes.map((cube) => (
          <div key={cube} role="group" aria-labelledby={`${id}-of-${cube}`}>
            <div id={`${id}-of-${cube}`} className={styles.cube} role="presentation">
              {shown.find((member) => member.cube === cube)!.cubeTitle}
            </div>
            {shown.map((member, place) =>
              member.cube === cube ? (
                <button
                  key={member.name}
                  type="button"
                  tabIndex={-1}
                  id={optionId(place)}
                  role="option"
                  aria-selected={isChosen(member.name)}
                  data-active={place === at || undefined}
                  className={styles.option}
                  title={member.name}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => {
                    setActive(place);
                    onToggle(member);
                  }}
                >
                  <span className={styles.mark} data-kind={member.kind} aria-label={KINDS[member.kind].word} role="img">
                    {KINDS[member.kind].mark}
                  </span>
                  <span className={styles.title}>{member.shortTitle}</span>
                  <small>{member.format ?? member.type}</small>
                  {isChosen(member.name) && <Icon name="check" size={14} />}
                  {member.description && <span className={styles.description}>{member.description}</span>}
                </button>
              ) : null,
            )}
          </div>
        ))}
        {shown.length === 0 && <p className={styles.none}>Nothing is called like that.</p>}
        {found.length > shown.length && (
          <p className={styles.none}>{found.length - shown.length} more: type a part of a name.</p>
        )}
      </div>
    </div>
  );
}
