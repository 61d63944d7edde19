// A source of the palette: the things of one kind, found by their names.

import type { Me } from "../../api/me.ts";
import type { Target } from "./targets.ts";

/** `find` is asked for what has the text in its name; an empty text means: the likeliest. */
export type ThingSource = { name: string; isFor(me: Me): boolean; find(text: string): Promise<Target[]> };
