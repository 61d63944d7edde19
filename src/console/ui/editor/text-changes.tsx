// Texts with names, each that differs shown with what went and what came.

import { Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { LoadingLines } from "../feedback/states.tsx";
import { DiffView, type TextLanguage } from "./lazy.ts";

/** Undefined where there is no such text before, or after. */
export type TextChange = { name: string; before: string | undefined; after: string | undefined };

/** Texts by name: the files of a model, the one text of a doc. */
export type Texts = Readonly<Record<string, string>>;

export const changesBetween = (before: Texts, after: Texts): TextChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((name) => ({ name, before: before[name], after: after[name] }))
    .filter((change) => change.before !== change.after);

type TextChangesProps = { changes: readonly TextChange[]; language?: TextLanguage };

export function TextChanges({ changes, language = "yaml" }: TextChangesProps) {
  if (changes.length === 0) return <Text size="sm">Nothing of it differs.</Text>;
  return (
    <Suspense fallback={<LoadingLines />}>
      {changes.map(({ name, before, after }) => (
        <Stack key={name} gap={4}>
          <Text size="sm">
            <code>{name}</code>, {after === undefined ? "deleted" : before === undefined ? "new" : "changed"}
          </Text>
          <DiffView label={`Changes of ${name}`} before={before ?? ""} after={after ?? ""} language={language} />
        </Stack>
      ))}
    </Suspense>
  );
}
