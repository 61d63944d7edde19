// The functions that are of windows alone.

import { unsupported } from "../../refusal.ts";
import type { Window } from "../../parse/tree.ts";
import { BIGINT, commonType, DOUBLE, isSame, nameOf, type Type } from "../../trino-types.ts";
import type { Place } from "../place.ts";
import { castTo, coerce, type Typed } from "../typed.ts";
import { wholeOf, type Around, type Call } from "./function.ts";

/** These functions tell a row's place, and take no values. */
const PLACES: Record<string, Type> = {
  row_number: BIGINT,
  rank: BIGINT,
  dense_rank: BIGINT,
  percent_rank: DOUBLE,
  cume_dist: DOUBLE,
};
/** These functions tell another row's value; each has so many values of its own. */
const VALUES: Record<string, { countMin: number; countMax: number; isByOffset?: true }> = {
  first_value: { countMin: 1, countMax: 1 },
  last_value: { countMin: 1, countMax: 1 },
  nth_value: { countMin: 2, countMax: 2 },
  lag: { countMin: 1, countMax: 3, isByOffset: true },
  lead: { countMin: 1, countMax: 3, isByOffset: true },
};

export const RANKING_NAMES: readonly string[] = [...Object.keys(PLACES), ...Object.keys(VALUES), "ntile"];

export const isRanking = (name: string, over: Window | undefined): boolean =>
  over !== undefined && RANKING_NAMES.includes(name);

export function translateRanking(call: Call, around: Around, place: Place): Typed {
  const { name, at, isStar, isDistinct, order, over } = call;
  const refused = unsupported(`This form of ${name}`, at);
  if (isStar || isDistinct || order.length > 0) throw refused;
  const args = call.args.map((each) => place.means.translateExpression(each, place));
  const type = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
  const kind = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (over!.frame !== undefined && (!kind || kind.isByOffset)) throw unsupported(`A frame of ${name}`, at);
  if (type) {
    if (args.length > 0) throw refused;
    return { sql: castTo(around(name, ""), type), type, at };
  }
  if (!kind) {
    const count = args.length === 1 ? wholeOf(args[0]!, "A number of groups") : 0;
    if (count < 1) throw refused;
    return { sql: castTo(around(name, String(count)), BIGINT), type: BIGINT, at };
  }
  if (args.length < kind.countMin || args.length > kind.countMax) throw refused;
  if (kind.isByOffset && over!.order.length === 0) throw unsupported(`${name} without an order`, at);
  return { sql: around(name, valuesOf(name, args)), type: args[0]!.type, at };
}

function valuesOf(name: string, [of, count, otherwise]: readonly Typed[]): string {
  const values = [of!.sql];
  if (count) {
    const number = wholeOf(count, "A number of rows");
    if (number < (name === "nth_value" ? 1 : 0)) throw unsupported(`${number} rows`, count.at);
    values.push(String(number));
  }
  if (otherwise) {
    const common = commonType(of!.type, otherwise.type);
    if (!common || !isSame(common, of!.type))
      throw unsupported(`${nameOf(otherwise.type)} in place of ${nameOf(of!.type)}`, otherwise.at);
    values.push(coerce(otherwise, common));
  }
  return values.join(", ");
}
