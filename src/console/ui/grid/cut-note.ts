// A grid that shows a part of all that there is says so. Pure.

import { formatExact } from "../data/format.ts";

export const cutNote = (what: string, shown: number, all: number): string[] =>
  shown < all ? [`It is cut: the first ${formatExact(shown)} of ${formatExact(all)} ${what}.`] : [];
