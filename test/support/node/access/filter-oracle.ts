// The oracle works out cell by cell, in plain code, which rows and cells roles let be seen, for tests to hold the
// engine's SQL to.

import type { AccessGrant, MaskValue, RowFilter } from "../../../../kernel/access/access.ts";

export type CellType = "number" | "text" | "date" | "instant" | "boolean";
/** Values as text: whole numbers, `2026-01-31`, `2026-01-31 10:00:00`, `true`. */
export type Row = Readonly<Record<string, string | null>>;
export type ColumnTypes = Readonly<Record<string, CellType>>;

/** The row as it is seen, or undefined; columns that no role shows at all are not in it. */
export function seenRow(row: Row, types: ColumnTypes, roles: readonly AccessGrant[]): Row | undefined {
  const granting = roles.filter(({ filters }) => filters?.every((filter) => holds(filter, row, types)));
  if (granting.length === 0) return undefined;
  return Object.fromEntries(
    Object.keys(types)
      .filter((column) => roles.some(({ excludes }) => !excludes.includes(column)))
      .map((column) => [column, seenCell(row[column]!, column, granting, roles)]),
  );
}

function seenCell(
  value: string | null,
  column: string,
  granting: readonly AccessGrant[],
  roles: readonly AccessGrant[],
): string | null {
  const showing = granting.filter(({ excludes }) => !excludes.includes(column));
  if (showing.some(({ masks }) => !Object.hasOwn(masks, column))) return value;
  // The mask of the first role counts where several roles have one.
  const masking = roles.find((role) => showing.includes(role));
  const mask: MaskValue = masking?.masks[column] ?? null;
  return mask === null ? null : String(mask);
}

function holds(filter: RowFilter, row: Row, types: ColumnTypes): boolean {
  if ("and" in filter) return filter.and.every((inner) => holds(inner, row, types));
  if ("or" in filter) return filter.or.some((inner) => holds(inner, row, types));
  const { member, operator, values } = filter;
  const [cell, type] = [row[member] ?? null, types[member]!];
  const given = values.filter((value) => value !== null);
  const hasNull = values.includes(null);
  const parts = { contains: "includes", startsWith: "startsWith", endsWith: "endsWith" } as const;
  const orders: Record<string, (order: number) => boolean> = {
    gt: (order) => order > 0,
    gte: (order) => order >= 0,
    lt: (order) => order < 0,
    lte: (order) => order <= 0,
  };
  if (operator === "set") return cell !== null;
  if (operator === "notSet") return cell === null;
  if (operator === "equals" || operator === "in")
    return cell === null ? hasNull : given.some((value) => fits(type, value) && orderOf(type, cell, value) === 0);
  if (operator === "notEquals" || operator === "notIn")
    return (
      given.every((value) => fits(type, value)) &&
      (cell === null ? !hasNull : given.every((value) => orderOf(type, cell, value) !== 0))
    );
  if (operator in orders) {
    const value = given[0];
    return cell !== null && value !== undefined && type !== "text" && type !== "boolean" && fits(type, value)
      ? orders[operator]!(orderOf(type, cell, value))
      : false;
  }
  const part = parts[(operator.startsWith("not") ? uncapitalised(operator.slice(3)) : operator) as keyof typeof parts];
  if (part) {
    if (type !== "text") return false;
    if (cell === null) return operator.startsWith("not") ? !hasNull : hasNull;
    const isHeld = given.some((value) => cell.toLowerCase()[part](value.toLowerCase()));
    return operator.startsWith("not") ? !isHeld : isHeld;
  }
  return cell !== null && (type === "date" || type === "instant") && isDated(operator, cell, given);
}

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Days: an instant is on the day that its text begins with. */
function isDated(operator: string, cell: string, [first = "", last = first]: readonly string[]): boolean {
  const day = cell.slice(0, 10);
  if (operator === "inDateRange") return day >= first && day <= last;
  if (operator === "notInDateRange") return day < first || day > last;
  if (operator === "onTheDate") return day === first;
  if (operator === "beforeDate") return day < first;
  if (operator === "beforeOrOnDate") return day <= first;
  if (operator === "afterDate") return day > first;
  return day >= first;
}

const FITTING: Record<CellType, RegExp> = {
  number: /^-?\d+$/,
  text: /^/,
  date: /^\d{4}-\d\d-\d\d$/,
  instant: /^\d{4}-\d\d-\d\d$/,
  boolean: /^(true|false)$/,
};
const fits = (type: CellType, value: string): boolean => FITTING[type].test(value);

/** Below zero where `cell` comes before `value`. A day is its first instant. */
function orderOf(type: CellType, cell: string, value: string): number {
  if (type === "number") return Math.sign(Number(cell) - Number(value));
  const other = type === "instant" ? `${value} 00:00:00` : value;
  return cell < other ? -1 : cell > other ? 1 : 0;
}
