// A condition on a member has an operator that fits its type, and as many values as the operator takes.

import { Choice, CloseButton, TagsInput } from "../../../ui/controls.ts";
import type { Condition } from "../state/exploration.ts";
import { operatorsFor, takenBy, wordsOf, type Operator } from "../state/operators.ts";
import styles from "./chosen-members.module.css";
import { RANGES } from "./time-row.tsx";
import { TypedText } from "./typed-text.tsx";

type FilterRowProps = {
  condition: Condition;
  title: string;
  type: string;
  onChange: (next: Condition) => void;
  onRemove: () => void;
};

export function FilterRow({ condition, title, type, onChange, onRemove }: FilterRowProps) {
  const { member, operator, values } = condition;
  const takes = takenBy(operator);
  const setValues = (next: readonly string[]) => onChange({ ...condition, values: next });
  return (
    <>
      <span className={styles.member}>{title}</span>
      <Choice
        size="xs"
        w={160}
        aria-label={`Condition on ${title}`}
        data={operatorsFor(type).map((one) => ({ value: one, label: wordsOf(one) }))}
        value={operator}
        onChange={(next) =>
          next !== null &&
          onChange({ member, operator: next as Operator, values: keptBy(next as Operator, operator, values) })
        }
      />
      {takes === "values" && (
        <TagsInput
          size="xs"
          miw={220}
          aria-label={`Values of ${title}`}
          placeholder={values.length === 0 ? "a value, then Enter" : ""}
          data={type === "boolean" ? ["true", "false"] : []}
          value={[...values]}
          onChange={setValues}
        />
      )}
      {(takes === "value" || takes === "date" || takes === "dates") && (
        <TypedText
          label={`Value of ${title}`}
          placeholder={takes === "value" ? "a number" : takes === "date" ? "2026-01-31" : "last 30 days, or 2026-01-31"}
          width={220}
          proposals={takes === "dates" ? RANGES : []}
          value={values[0] ?? ""}
          onDone={(text) => setValues(text === "" ? [] : [text])}
        />
      )}
      <CloseButton size="xs" aria-label={`Remove the filter on ${title}`} onClick={onRemove} />
    </>
  );
}

/** Values stay where the other operator takes as many. */
const keptBy = (next: Operator, before: Operator, values: readonly string[]): readonly string[] =>
  takenBy(next) === takenBy(before) ? values : takenBy(next) === "nothing" ? [] : values.slice(0, 1);
