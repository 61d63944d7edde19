// Expressions in DuckDB's SQL. Each has the type that it has in Trino, by which the next around it is written.

import { arithmetic, negative, positive } from "./arithmetic.ts";
import { cast, tryCast } from "./casts.ts";
import { extracted } from "./functions/dates/date-functions.ts";
import { asMoments, inZone } from "./zones.ts";
import { translateCall } from "./functions/call.ts";
import { subscript } from "./functions/nested/arrays.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { Refusal, tooLong, unsupported } from "../refusal.ts";
import { findColumn } from "./scope.ts";
import { alike, compare } from "./comparison.ts";
import { timeZoneOf, translateBoolean, type Place } from "./place.ts";
import type { Expression } from "../parse/tree.ts";
import { intervalValue } from "./values/intervals.ts";
import { typedLiteral } from "./values/literals.ts";
import { isCompared, requireComparable } from "./values/comparable.ts";
import { typeNamed } from "./values/type-names.ts";
import { castTo, commonOfAll, coerce, mismatch, textLiteral, type Typed } from "./typed.ts";
import {
  BIGINT,
  BOOLEAN,
  commonType,
  decimal,
  DOUBLE,
  INTEGER,
  isFloating,
  nameOf,
  simple,
  UNKNOWN,
} from "../trino-types.ts";

/** Some expressions stand in their SQL more than once, so that within each other they grow by each. */
export function translateExpression(of: Expression, place: Place): Typed {
  const typed = typedOf(of, place);
  if (typed.sql.length > REQUEST_LIMITS.sqlCharactersMax) throw tooLong(of.at);
  return typed;
}

function typedOf(of: Expression, place: Place): Typed {
  const { at } = of;
  const translate = (inner: Expression): Typed => translateExpression(inner, place);
  const boolean = (sql: string): Typed => ({ sql, type: BOOLEAN, at });
  const not = (isNegated: boolean, sql: string): Typed => boolean(isNegated ? `(NOT ${sql})` : sql);
  const compared = (sides: Expression[]): Typed[] => asMoments(sides.map(translate), timeZoneOf(place), at);
  switch (of.kind) {
    case "number":
      return numberOf(of.text, at);
    case "string":
      return {
        sql: textLiteral(of.text),
        type: { kind: "varchar", length: [...of.text].length },
        at,
        constant: of.text,
      };
    case "binary":
      return { sql: `from_hex('${of.text}')`, type: simple("varbinary"), at };
    case "boolean":
      return boolean(String(of.value));
    case "null":
      return { sql: "NULL", type: UNKNOWN, at };
    case "typed":
      return typedLiteral(of.type, of.text, at);
    case "interval":
      return intervalValue(of);
    case "column": {
      const { sql, type } = findColumn(of.path, place.scope);
      return { sql, type, at };
    }
    case "array": {
      const values = of.of.map(translate);
      const type = commonOfAll(values, at);
      const items = values.map((each) => castTo(coerce(each, type), type));
      return { sql: `[${items.join(", ")}]`, type: { kind: "array", of: type }, at };
    }
    case "subscript":
      return subscript(translate(of.of), translate(of.index), at);
    case "parameter":
      return parameterOf(of.index, place, at);
    case "minus":
      // The least whole number has no opposite among its type's.
      return of.isSign && of.of.kind === "number" ? numberOf(`-${of.of.text}`, at) : negative(translate(of.of), at);
    case "plus":
      return positive(translate(of.of), at);
    case "not":
      return boolean(`(NOT ${translateBoolean(of.of, place)})`);
    case "and":
    case "or":
      return boolean(
        `(${translateBoolean(of.left, place)} ${of.kind.toUpperCase()} ${translateBoolean(of.right, place)})`,
      );
    case "arithmetic":
      return arithmetic(of, translate);
    case "comparison": {
      const [left, right] = compared([of.left, of.right]);
      return boolean(compare(left!, of.sign, right!, at));
    }
    case "distinct": {
      const [one, other] = compared([of.left, of.right]);
      const { left, right, type } = alike(one!, other!, at);
      requireComparable(type, at);
      return boolean(`(${left} IS ${of.isNegated ? "NOT " : ""}DISTINCT FROM ${right})`);
    }
    case "isNull":
      return boolean(`(${translate(of.of).sql} IS ${of.isNegated ? "NOT " : ""}NULL)`);
    case "between": {
      const [[value, low], [same, high]] = [compared([of.of, of.low]), compared([of.of, of.high])];
      return not(of.isNegated, `(${compare(value!, ">=", low!, at)} AND ${compare(same!, "<=", high!, at)})`);
    }
    case "in":
      return translateIn(of, place);
    case "like":
      return not(of.isNegated, likeOf(of, translate));
    case "case":
      return translateCase(of, place);
    case "cast":
      return cast(translate(of.of), typeNamed(of.type), at);
    case "tryCast":
      return tryCast(translate(of.of), typeNamed(of.type), at);
    case "inZone":
      return inZone(translate(of.of), translate(of.zone), timeZoneOf(place), at);
    case "extract":
      return extracted(of.field, translate(of.of), at);
    case "exists":
      return boolean(`EXISTS (${place.means.translateQuery(of.query, place).sql})`);
    case "scalar": {
      const { sql, columns } = place.means.translateQuery(of.query, place);
      if (columns.length !== 1) throw unsupported("A query of several columns as a value", at);
      return { sql: `(${sql})`, type: columns[0]!.type, at };
    }
    case "call":
      return translateCall(of, place);
  }
}

const INTEGER_MAX = 2_147_483_647n;
const BIGINT_MAX = 9_223_372_036_854_775_807n;

const isBeyond = (value: bigint, max: bigint): boolean => value > max || value < -max - 1n;

function numberOf(text: string, at: number): Typed {
  if (/e/i.test(text)) return { sql: castTo(textLiteral(text), DOUBLE), type: DOUBLE, at, constant: text };
  if (!text.includes(".")) {
    const value = BigInt(text);
    if (isBeyond(value, BIGINT_MAX)) throw new Refusal("INVALID_LITERAL", `Invalid numeric literal: ${text}`, at);
    const type = isBeyond(value, INTEGER_MAX) ? BIGINT : INTEGER;
    return { sql: castTo(String(value), type), type, at, constant: String(value) };
  }
  const [whole = "", fraction = ""] = text.split(".");
  const digits = whole.replace(/^-?0*/, "").length + fraction.length;
  if (digits > 38) throw new Refusal("INVALID_LITERAL", `Invalid decimal literal: ${text}`, at);
  const type = decimal(Math.max(digits, 1), fraction.length);
  return { sql: castTo(textLiteral(text), type), type, at, constant: text };
}

/** A value for a parameter is an expression of its own, without columns; without values the type is open. */
function parameterOf(index: number, place: Place, at: number): Typed {
  const { parameters } = place.means;
  if (!parameters) return { sql: "NULL", type: UNKNOWN, at };
  const value = parameters[index];
  if (!value) throw new Refusal("INVALID_PARAMETER_USAGE", `There is no value for parameter ${index + 1}.`, at);
  return { ...translateExpression(value, { ...place, scope: { relations: [] } }), at };
}

function translateIn(of: Extract<Expression, { kind: "in" }>, place: Place): Typed {
  const { at, isNegated, among } = of;
  const given = translateExpression(of.of, place);
  const negated = (sql: string): Typed => ({ sql: isNegated ? `(NOT ${sql})` : sql, type: BOOLEAN, at });
  if (Array.isArray(among)) {
    const listed = among.map((one) => translateExpression(one, place));
    const [value, ...values] = asMoments([given, ...listed], timeZoneOf(place), at) as [Typed, ...Typed[]];
    const met = values.map((one) => alike(value, one, at));
    const [first] = met;
    // A plain list, by which files can be left out, where nothing has to be changed for one of its values alone.
    if (met.every(({ left, type }) => left === first!.left && !isFloating(type) && isCompared(type)))
      return negated(`(${first!.left} IN (${met.map(({ right }) => right).join(", ")}))`);
    // Trino finds NaN in a list by its place in the statement, not by its value.
    if (values.some(({ constant }) => constant === undefined) && met.some(({ type }) => isFloating(type)))
      throw unsupported(`IN of computed values of ${nameOf(value.type)}`, at);
    const each = values.map((one) => compare(value, "=", one, at));
    return negated(each.length === 1 ? each[0]! : `(${each.join(" OR ")})`);
  }
  const { sql, columns } = place.means.translateQuery(among, place);
  const [column] = columns;
  const type = column && columns.length === 1 ? commonType(given.type, column.type) : undefined;
  if (!type) throw mismatch("The value and the query are not of one type.", at);
  if (isFloating(type) || !isCompared(type)) throw unsupported(`IN of a query of ${nameOf(type)}`, at);
  const alias = place.means.nextRelation();
  const inner = coerce({ sql: `${alias}.c0`, type: column!.type, at }, type);
  return negated(`(${coerce(given, type)} IN (SELECT ${inner} FROM (${sql}) AS ${alias}))`);
}

function likeOf(of: Extract<Expression, { kind: "like" }>, translate: (of: Expression) => Typed): string {
  const [value, pattern] = [translate(of.of), translate(of.pattern)];
  for (const { type, at } of [value, pattern])
    if (type.kind !== "varchar" && type.kind !== "unknown")
      throw mismatch(`LIKE is of texts: actual type ${nameOf(type)}`, at);
  const [text, sought] = [value, pattern].map((each) => coerce(each, { kind: "varchar" }));
  if (!of.escape) return `(${text} LIKE ${sought})`;
  const escape = translate(of.escape);
  if (escape.constant === undefined || [...escape.constant].length !== 1 || pattern.constant === undefined)
    throw unsupported("LIKE with an escape of several characters, or of a pattern that is computed", of.at);
  const rest = pattern.constant.replaceAll(escape.constant + escape.constant, "");
  if (
    rest
      .split(escape.constant)
      .slice(1)
      .some((after) => !/^[%_]/.test(after))
  )
    throw new Refusal(
      "GENERIC_USER_ERROR",
      "Escape character must be followed by '%', '_' or the escape character itself",
      of.at,
    );
  return `(${text} LIKE ${sought} ESCAPE ${escape.sql})`;
}

function translateCase(of: Extract<Expression, { kind: "case" }>, place: Place): Typed {
  const operand = of.operand && translateExpression(of.operand, place);
  const results = [...of.whens.map(({ then }) => then), ...(of.otherwise ? [of.otherwise] : [])].map((each) =>
    translateExpression(each, place),
  );
  const type = commonOfAll(results, of.at);
  const whens = of.whens.map(({ when }, i) => {
    const condition = operand
      ? compare(operand, "=", translateExpression(when, place), when.at)
      : translateBoolean(when, place);
    return `WHEN ${condition} THEN ${coerce(results[i]!, type)}`;
  });
  const otherwise = of.otherwise ? ` ELSE ${coerce(results.at(-1)!, type)}` : "";
  return { sql: `(CASE ${whens.join(" ")}${otherwise} END)`, type, at: of.at };
}
