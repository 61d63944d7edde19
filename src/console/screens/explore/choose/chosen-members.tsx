// Model members that are chosen stand as chips, times with their ranges, filters in a row each; the order, and how much
// is asked for, come last.

import { useState, type ReactNode } from "react";
import { Choice, CloseButton, NumberInput, Select, UnstyledButton } from "../../../ui/controls.ts";
import { isAskable, orderable, ordered, withOrder, withToggled, type Exploration } from "../state/exploration.ts";
import type { Member } from "../state/members.ts";
import { operatorsFor } from "../state/operators.ts";
import styles from "./chosen-members.module.css";
import { FilterRow } from "./filter-row.tsx";
import { TimeRow } from "./time-row.tsx";

const LIMIT_MAX = 50_000;
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

type ChosenMembersProps = {
  exploration: Exploration;
  members: readonly Member[];
  onChange: (next: Exploration) => void;
};

export function ChosenMembers({ exploration, members, onChange }: ChosenMembersProps) {
  const known = new Map(members.map((member) => [member.name, member]));
  const titleOf = (name: string) => known.get(name)?.title ?? name;
  const { measures, dimensions, segments, timeDimensions, filters, order, limit, timezone } = exploration;
  const chips = (names: readonly string[], kind: Member["kind"]) =>
    names.map((name) => (
      <Chip
        key={name}
        title={titleOf(name)}
        kind={kind}
        onRemove={() => onChange(withToggled(exploration, { name, kind }))}
      />
    ));
  const filterable = members.filter(({ kind }) => kind !== "segment");
  const unordered = orderable(exploration).filter((name) => !order.some(([one]) => one === name));
  const isNothing = !isAskable(exploration) && segments.length + timeDimensions.length + filters.length === 0;
  return (
    <section className={styles.chosen} aria-label="What is asked for">
      {isNothing && (
        <p className={styles.hint}>
          Choose a measure, and dimensions to see it by. Arrows walk the list, Enter chooses; Esc cancels what runs.
        </p>
      )}
      {measures.length > 0 && <Row title="Measures">{chips(measures, "measure")}</Row>}
      {dimensions.length > 0 && <Row title="By">{chips(dimensions, "dimension")}</Row>}
      {segments.length > 0 && <Row title="Segments">{chips(segments, "segment")}</Row>}
      {timeDimensions.map((slice, at) => (
        <Row key={slice.dimension} title="Time">
          <TimeRow
            slice={slice}
            title={titleOf(slice.dimension)}
            granularities={known.get(slice.dimension)?.granularities ?? []}
            onChange={(next) => onChange(ordered({ ...exploration, timeDimensions: timeDimensions.with(at, next) }))}
            onRemove={() => onChange(withToggled(exploration, { name: slice.dimension, kind: "time" }))}
          />
        </Row>
      ))}
      {filters.map((condition, at) => (
        // Two conditions may be on one member: they are told apart by their place.
        <Row key={`${condition.member} ${at}`} title="Where">
          <FilterRow
            condition={condition}
            title={titleOf(condition.member)}
            type={known.get(condition.member)?.type ?? "string"}
            onChange={(next) => onChange({ ...exploration, filters: filters.with(at, next) })}
            onRemove={() => onChange({ ...exploration, filters: filters.toSpliced(at, 1) })}
          />
        </Row>
      ))}
      <div className={styles.row}>
        <Adding
          label="Filter by"
          members={filterable.map(({ name, title }) => ({ value: name, label: title }))}
          onAdd={(member) => {
            const operator = operatorsFor(known.get(member)!.type)[0]!;
            onChange({ ...exploration, filters: [...filters, { member, operator, values: [] }] });
          }}
        />
        {order.map(([member, direction]) => (
          <Chip
            key={member}
            title={titleOf(member)}
            kind="order"
            onRemove={() => onChange(withOrder(exploration, member, undefined))}
          >
            <UnstyledButton
              className={styles.direction}
              aria-label={`${titleOf(member)}: ${direction === "asc" ? "smallest first" : "largest first"}. Turn it round.`}
              onClick={() => onChange(withOrder(exploration, member, direction === "asc" ? "desc" : "asc"))}
            >
              {direction === "asc" ? "↑" : "↓"}
            </UnstyledButton>
          </Chip>
        ))}
        {unordered.length > 0 && (
          <Adding
            label="Order by"
            members={unordered.map((name) => ({ value: name, label: titleOf(name) }))}
            onAdd={(member) =>
              onChange(withOrder(exploration, member, known.get(member)?.kind === "measure" ? "desc" : "asc"))
            }
          />
        )}
        <NumberInput
          size="xs"
          w={120}
          aria-label="Rows at most"
          placeholder="10,000 rows"
          suffix=" rows"
          thousandSeparator=","
          hideControls
          min={1}
          max={LIMIT_MAX}
          allowDecimal={false}
          value={limit ?? ""}
          onChange={(value) => {
            const { limit: _, ...rest } = exploration;
            onChange(typeof value === "number" && value > 0 ? { ...rest, limit: value } : rest);
          }}
        />
        <Choice
          size="xs"
          w={160}
          aria-label="Time zone"
          searchable
          limit={60}
          data={ZONES}
          value={timezone ?? "UTC"}
          onChange={(zone) => {
            const { timezone: _, ...rest } = exploration;
            onChange(zone === null || zone === "UTC" ? rest : { ...rest, timezone: zone });
          }}
        />
      </div>
    </section>
  );
}

const Row = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.row}>
    <span className={styles.label}>{title}</span>
    {children}
  </div>
);

type ChipProps = { title: string; kind: Member["kind"] | "order"; onRemove: () => void; children?: ReactNode };

const Chip = ({ title, kind, onRemove, children }: ChipProps) => (
  <span className={styles.chip} data-kind={kind}>
    {children}
    <span>{title}</span>
    <CloseButton
      size="xs"
      aria-label={`${kind === "order" ? "Do not order by" : "Remove"} ${title}`}
      onClick={onRemove}
    />
  </span>
);

type AddingProps = { label: string; members: { value: string; label: string }[]; onAdd: (member: string) => void };

/** The field is empty again once something is chosen. */
function Adding({ label, members, onAdd }: AddingProps) {
  const [typed, setTyped] = useState("");
  return (
    <Select
      size="xs"
      w={150}
      aria-label={label}
      placeholder={`${label} …`}
      searchable
      limit={80}
      nothingFoundMessage="Nothing is called like that."
      data={members}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(member) => {
        if (member !== null) onAdd(member);
        setTyped("");
      }}
    />
  );
}
