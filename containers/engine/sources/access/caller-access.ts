// The engine remembers by digest what callers of statements on sources may read: the platform sends the roles once,
// then the digest alone.

import type { AccessRoles, StatementAccess } from "../../../../kernel/access/access.ts";
import { indexAccess, type AccessIndex, type Fold } from "../../../../kernel/access/decide-table.ts";
import { Failure } from "../../core/failure.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";

/** The bound holds for all remembered roles together, as JSON; longer roles are sent with each statement. */
const CHARACTERS_MAX = 32 * 1024 * 1024;

/** The roles of one digest. */
export class CallerAccess {
  readonly characters: number;

  readonly #roles: AccessRoles;
  #index: AccessIndex | undefined;

  constructor(roles: AccessRoles) {
    this.#roles = roles;
    this.characters = JSON.stringify(roles).length;
  }

  /** Made once: a source compares names in one way, so each `fold` should be one function to all its statements. */
  indexBy(fold: Fold, foldColumn: Fold = fold): AccessIndex {
    if (this.#index?.fold !== fold || this.#index.foldColumn !== foldColumn)
      this.#index = indexAccess(this.#roles, fold, foldColumn);
    return this.#index;
  }
}

const remembered = new LruMap<CallerAccess>(CHARACTERS_MAX, ({ characters }) => characters);

/** Throws `access_unknown` where the roles were not sent and are not remembered. */
export function callerAccess(access: StatementAccess): "everything" | CallerAccess {
  if (access === "everything") return access;
  const { digest, roles } = access;
  const known = remembered.get(digest);
  if (known) return known;
  if (!roles) throw new Failure("access_unknown", "The roles of this digest are not known here; send them.");
  const caller = new CallerAccess(roles);
  remembered.set(digest, caller);
  return caller;
}
