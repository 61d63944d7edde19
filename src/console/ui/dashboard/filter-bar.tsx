// The filters of a dashboard. A click on a chart sets them, too.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { shapeOf } from "../../../../kernel/docs/filters.ts";
import { Button, MultiSelect, Select, TextInput } from "../controls.ts";
import styles from "./dashboard.module.css";
import { shownOf, wordsOf, type FilterValues } from "./filter-values.ts";

type FilterBarProps = {
  filters: readonly Filter[];
  values: FilterValues;
  onChange: (filter: Filter, values: readonly string[]) => void;
};

export function FilterBar({ filters, values, onChange }: FilterBarProps) {
  const shown = filters.filter(({ display }) => display !== "hidden");
  const set = filters.filter((filter) => shownOf(filter, values).length > 0 || wordsOf(filter, values));
  if (shown.length === 0) return null;
  return (
    <search className={styles.filters} aria-label="Filters">
      {shown.map((filter) => (
        <Field
          key={filter.id}
          filter={filter}
          values={shownOf(filter, values)}
          words={wordsOf(filter, values)}
          onChange={(next) => onChange(filter, next)}
        />
      ))}
      {set.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => {
            for (const filter of set) onChange(filter, []);
          }}
        >
          Clear
        </Button>
      )}
    </search>
  );
}

type FieldProps = {
  filter: Filter;
  values: readonly string[];
  words: string | undefined;
  onChange: (values: readonly string[]) => void;
};

function Field({ filter, values, words, onChange }: FieldProps) {
  const name = filter.label ?? filter.id;
  const label = words ? `${name} (${words})` : name;
  const shape = shapeOf(filter);
  const choices = shape === "flag" ? ["true"] : (filter.values ?? []).filter((one) => one !== null).map(String);
  const data = [...new Set([...choices, ...values])];
  if (shape === "range") {
    const [from = "", to = ""] = values;
    const set = (a: string, b: string) => onChange(a || b ? [a, b] : []);
    return (
      <>
        <TextInput
          size="xs"
          type="date"
          label={`${label}, from`}
          value={from}
          onChange={(event) => set(event.currentTarget.value, to)}
        />
        <TextInput
          size="xs"
          type="date"
          label={`${label}, to`}
          value={to}
          onChange={(event) => set(from, event.currentTarget.value)}
        />
      </>
    );
  }
  if (filter.type === "multiSelect")
    return (
      <MultiSelect size="xs" label={label} data={data} value={[...values]} onChange={onChange} searchable clearable />
    );
  if (choices.length > 0 && shape !== "day")
    return (
      <Select
        size="xs"
        label={label}
        data={data}
        value={values[0] ?? null}
        onChange={(value) => onChange(value === null ? [] : [value])}
        clearable
        searchable
      />
    );
  return (
    <TextInput
      size="xs"
      label={label}
      type={shape === "day" ? "date" : filter.type === "number" ? "number" : "text"}
      key={values[0] ?? ""}
      defaultValue={values[0] ?? ""}
      onBlur={(event) => {
        const { value } = event.currentTarget;
        if (value !== (values[0] ?? "")) onChange(value ? [value] : []);
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}
