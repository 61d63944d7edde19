// The interface of a planned query for its parts.

import type { BaseQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
import type { Spelling } from "./spelling/spelling.ts";
import type { Zone } from "./time/zone.ts";

export type Planned = BaseQuery & {
  readonly spelling: Spelling;
  readonly zone: Zone;
  /** The reason why no join reaches all that the query names; its facts may each be reached alone. */
  joinError: unknown;
  factQueries: Planned[] | undefined;
  /** The local time in the zone at a time that is known to lie within `range`. */
  shownTime(sql: string, range?: [number, number]): string;
};
