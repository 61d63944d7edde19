// Chooses where the statements of a tab run.

import { Choice } from "../../../ui/controls.ts";
import type { DataSource } from "../schema/schema.ts";

const LAKE = "lake";

type SourceSelectProps = {
  sources: readonly DataSource[];
  value: string | null;
  onChange: (integrationId: string | null) => void;
};

export function SourceSelect({ sources, value, onChange }: SourceSelectProps) {
  return (
    <Choice
      size="xs"
      w={180}
      aria-label="Run on"
      data={sources.map(({ integrationId, name, kind }) => ({
        value: integrationId ?? LAKE,
        label: integrationId === null ? name : `${name} (${kind})`,
      }))}
      value={value ?? LAKE}
      onChange={(chosen) => onChange(chosen === LAKE ? null : chosen)}
    />
  );
}
