// A screen keeps in the address's search what it shows. A change of some parameters leaves the others as they are.

import { useSearchParams } from "wouter";

type Change = (parts: Readonly<Record<string, string | undefined>>, options?: { replace: boolean }) => void;

/** The search, and how parameters are changed: undefined takes one out of it. */
export function useSearch(): [URLSearchParams, Change] {
  const [search, setSearch] = useSearchParams();
  const change: Change = (parts, options) =>
    setSearch((now) => {
      for (const [name, value] of Object.entries(parts))
        if (value === undefined) now.delete(name);
        else now.set(name, value);
      return now;
    }, options);
  return [search, change];
}
