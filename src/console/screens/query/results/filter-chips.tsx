// The order and the filters that are added to a statement, each with its way out.

import { CloseButton } from "../../../ui/controls.ts";
import type { ResultView } from "../run/run.ts";
import styles from "./results.module.css";

export function FilterChips({ view, onChange }: { view: ResultView; onChange: (view: ResultView) => void }) {
  const { sort, filters } = view;
  const chips = filters.map(({ label, condition }) => ({
    label,
    without: { ...view, filters: filters.filter((filter) => filter.condition !== condition) },
  }));
  if (sort)
    chips.push({
      label: `by ${sort.column} ${sort.isDescending ? "descending" : "ascending"}`,
      without: { filters: [...filters] },
    });
  return chips.map(({ label, without }) => (
    <span key={label} className={styles.chip}>
      {label}
      <CloseButton size={16} aria-label={`Remove: ${label}`} onClick={() => onChange(without)} />
    </span>
  ));
}
