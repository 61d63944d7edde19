// A destination takes what is sent to it, fails, or was disabled; one that takes events says which.

import type { components } from "../../../api/schema.d.ts";
import { State, Time } from "../../../ui/data/values.tsx";
import { Group, MultiSelect } from "../../../ui/controls.ts";

export type Destination = components["schemas"]["Destination"];
export type EventType = NonNullable<Destination["event_types"]>[number];

export const DESTINATIONS_KEY = ["destinations"];

/** Whether messages to a destination of this kind are signed with a secret. */
export const IS_SIGNED: Record<Destination["kind"], boolean> = { teams: false, webhook: true, events: true };

const DISABLED: Record<NonNullable<Destination["disabled_reason"]>, string> = {
  requested: "disabled",
  gone: "disabled: its host wants nothing more",
  failing: "disabled: no event arrived for days",
};

/** Types of events, by what they report. */
const EVENT_WORDS: Record<EventType, string> = {
  "sync_run.started": "a sync's run has started",
  "sync_run.ended": "a sync's run has ended",
  "job_run.started": "a job's run has started",
  "job_run.ended": "a job's run has ended",
  "maintenance_run.started": "a lake's maintenance has started",
  "maintenance_run.ended": "a lake's maintenance has ended",
  "doc_run.started": "a doc's run has started",
  "doc_run.ended": "a doc's run has ended",
  "table_tests.ended": "the tests of built tables have ended",
  "quota.exceeded": "a quota is used up",
  "access.changed": "access has changed",
};

export function DestinationState({ destination }: { destination: Destination }) {
  if (destination.disabled_reason !== null) return <State tone="bad">{DISABLED[destination.disabled_reason]}</State>;
  if (destination.failing_since === null) return <State tone="good">enabled</State>;
  return (
    <Group gap={4} wrap="nowrap">
      <State tone="warn">failing</State> since <Time at={destination.failing_since} />
    </Group>
  );
}

type EventTypesProps = { value: EventType[]; onChange: (types: EventType[]) => void };

export function EventTypes({ value, onChange }: EventTypesProps) {
  return (
    <MultiSelect
      label="Sent when"
      placeholder={value.length === 0 ? "Choose what is sent" : ""}
      data={Object.entries(EVENT_WORDS).map(([type, label]) => ({ value: type, label }))}
      value={value}
      onChange={(types) => onChange(types as EventType[])}
    />
  );
}
