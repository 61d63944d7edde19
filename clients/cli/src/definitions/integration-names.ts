// Files name integrations, as the teams that they are moved between have other ids for them. Pure.

import type { Integration } from "../commands/find-integration.ts";
import { UsageError } from "../exit-codes.ts";
import { slugOf, type Names } from "./kind.ts";

/** `others` are the names of the integrations of the team that the files came from, by their ids. */
export function integrationNames(
  integrations: readonly Integration[],
  others: Readonly<Record<string, string>>,
): Names {
  const idOf = (word: string): string => {
    const exact = integrations.filter(({ name }) => name === word);
    const found =
      exact.length > 0 ? exact : integrations.filter(({ id, name }) => id === word || slugOf(name) === word);
    if (found.length === 1) return found[0]!.id;
    throw new UsageError(
      found.length > 1
        ? `Several integrations are named ${word}.`
        : `The team has no integration ${word}: connect it first.`,
    );
  };
  const own = new Set(integrations.map(({ id }) => id));
  return {
    idOf,
    // An integration that the caller may not see keeps its id.
    nameOf: (id) => integrations.find((each) => each.id === id)?.name ?? id,
    withOwnIds: (text) =>
      Object.entries(others).reduce(
        (changed, [id, name]) => (own.has(id) || !changed.includes(id) ? changed : changed.replaceAll(id, idOf(name))),
        text,
      ),
  };
}
