// A source's folding says how it compares names that were typed without quotes. The Worker's and the engine's contract
// has it.

/**
 * `exact`: names are compared as they are; `upper` and `lower`: a name that is all in that case matches any spelling of
 * it; `any`: the source ignores case.
 */
export const NAME_FOLDINGS = ["exact", "upper", "lower", "any"] as const;
export type NameFolding = (typeof NAME_FOLDINGS)[number];

/** Whether `typed` means what the source calls `name`: be it a table (`schema.table`), a schema or a column. */
export function isNameOf(folding: NameFolding, typed: string, name: string): boolean {
  switch (folding) {
    case "exact":
      return typed === name;
    case "upper":
      return typed === name || typed.toUpperCase() === name;
    case "lower":
      return typed === name || typed.toLowerCase() === name;
    case "any":
      return typed.toLowerCase() === name.toLowerCase();
  }
}

/** The items whose name `typed` means: those spelled alike, or else those that match as the source folds names. */
export function withName<T>(folding: NameFolding, typed: string, all: readonly T[], nameOf: (one: T) => string): T[] {
  const alike = all.filter((one) => nameOf(one) === typed);
  return alike.length > 0 ? alike : all.filter((one) => isNameOf(folding, typed, nameOf(one)));
}
