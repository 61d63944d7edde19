// A field for each `$name` of the text, with its type.

import { Choice, TextInput } from "../../../ui/controls.ts";
import type { TypedValue } from "../../../api/query-link.ts";
import { NEW_VALUE, TYPE_CHOICES } from "../text/parameters.ts";
import { parameterNames } from "../text/statements.ts";
import styles from "./tabs.module.css";

type ParameterBarProps = {
  text: string;
  values: Readonly<Record<string, TypedValue>>;
  onChange: (values: Record<string, TypedValue>) => void;
};

const MODES = { one: "value", list: "list", null: "NULL" };

export function ParameterBar({ text, values, onChange }: ParameterBarProps) {
  return parameterNames(text).map((name) => {
    const value = values[name] ?? NEW_VALUE;
    const set = (change: Partial<TypedValue>) => onChange({ ...values, [name]: { ...value, ...change } });
    return (
      <div key={name} className={styles.parameter}>
        <span className={styles.parameterName}>${name}</span>
        <Choice
          size="xs"
          w={104}
          aria-label={`Type of ${name}`}
          data={TYPE_CHOICES}
          value={value.type}
          onChange={(type) => set({ type })}
        />
        <Choice
          size="xs"
          w={80}
          aria-label={`Form of ${name}`}
          data={MODES}
          value={value.isNull ? "null" : value.isList ? "list" : "one"}
          onChange={(mode) => set({ isNull: mode === "null", isList: mode === "list" })}
        />
        {!value.isNull && (
          <TextInput
            size="xs"
            w={130}
            aria-label={`Value of ${name}`}
            placeholder={value.isList ? "a, b, c" : ""}
            value={value.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
          />
        )}
      </div>
    );
  });
}
