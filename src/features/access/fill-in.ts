// Turns roles' kept grants into the form for the engine and the catalog: the grants of one integration, with the user's
// attributes in place of their names. Pure.

import { EVERY, type AccessGrant, type AccessRoles, type RowFilter } from "../../../kernel/access/access.ts";
import { ACCESS_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { UserAttributes } from "../../platform/db/schema/access-schema.ts";
import type { FilterValue, GrantFilter } from "./filter.ts";
import { type KeptGrant, wholeGrant } from "./grant.ts";

/** A few roles may name an attribute of many values often. */
type Room = { charactersLeft: number };

/** `roles`: each one's grants. Throws `business_quota_exceeded` where attributes make them too large. */
export function fillIn(
  roles: readonly (readonly KeptGrant[])[],
  integrationId: string,
  attributes: UserAttributes,
): AccessRoles {
  const room: Room = { charactersLeft: ACCESS_LIMITS.filledCharactersMax };
  return roles.map((grants) => {
    const ofAll = grants.filter(({ integration_id: id }) => id === EVERY);
    const ofOne = grants.filter(({ integration_id: id }) => id === integrationId);
    // Where two grants have one target, the later one counts, which names the integration.
    return [...ofAll, ...ofOne].map((grant) => fillInGrant(grant, attributes, room));
  });
}

function fillInGrant(grant: KeptGrant, attributes: UserAttributes, room: Room): AccessGrant {
  const { schema, table, exclude_columns: excludes, masks, filters } = wholeGrant(grant);
  const filled = filters.map((filter) => fillInFilter(filter, attributes, room));
  return { schema, table, excludes, masks, filters: filled.includes(undefined) ? null : (filled as RowFilter[]) };
}

/** Undefined where an attribute is missing: nothing of the grant can be believed then. */
function fillInFilter(filter: GrantFilter, attributes: UserAttributes, room: Room): RowFilter | undefined {
  if ("member" in filter) {
    const values = (filter.values ?? []).map((value) => textsOf(value, attributes, room));
    if (values.includes(undefined)) return undefined;
    return { member: filter.member, operator: filter.operator, values: values.flatMap((texts) => texts!) };
  }
  const isAnd = "and" in filter;
  const inner = (isAnd ? filter.and : filter.or).map((each) => fillInFilter(each, attributes, room));
  if (inner.includes(undefined)) return undefined;
  return isAnd ? { and: inner as RowFilter[] } : { or: inner as RowFilter[] };
}

function textsOf(value: FilterValue, attributes: UserAttributes, room: Room): (string | null)[] | undefined {
  if (value === null) return [null];
  if (typeof value !== "object") return [String(value)];
  const own = Object.hasOwn(attributes, value.attribute) ? attributes[value.attribute] : undefined;
  if (own === undefined || own.length === 0) return undefined;
  const texts = typeof own === "string" ? [own] : own;
  for (const { length } of texts) room.charactersLeft -= length;
  if (room.charactersLeft < 0)
    throw new Problem(
      "business_quota_exceeded",
      `The attributes that the roles' filters name have more than ${ACCESS_LIMITS.filledCharactersMax} characters in all.`,
    );
  return texts;
}
