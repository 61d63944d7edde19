// What the engine remembers of the roles of callers, by digest.

import { describe, expect, it } from "vitest";
import type { AccessRoles, StatementAccess } from "../../../containers/engine/contract/access/access.ts";
import { isGranted } from "../../../containers/engine/contract/access/decide-table.ts";
import { LruMap } from "../../../containers/program/contract/lru-map.ts";
import { callerAccess, type CallerAccess } from "../../../containers/engine/sources/access/caller-access.ts";
