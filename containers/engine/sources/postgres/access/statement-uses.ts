// Lists the PostgreSQL functions and operators that a bound statement names, and the types that its text brings into
// play. By these it can be told whether the statement could run a cast, an operator or a function of the database's
// own. Runs in the gate's thread.

type Node = Record<string, unknown>;

/** `from`: the type of what is cast, where the text says it. Without it, it may be any type that is in play. */
export type ExplicitCast = { to: string; from?: string };

/** Names of functions, operators and types are without their schema; the name of an array is that of its elements. */
export type StatementUses = {
  functions: Set<string>;
  operators: Set<string>;
  casts: ExplicitCast[];
  /** The types of literals, of what the statement's own constructs result in, and those it names. */
  types: Set<string>;
  /** The types that places take by an assignment cast: conditions, limits, subscripts, offsets of frames. */
  assigned: Set<string>;
  /** It may bring values of several types to one of them. */
  unites: boolean;
  /** It sorts, groups or tells values apart by their types' own orders. */
  orders: boolean;
  /** An expression has whatever type its place takes: a bound value, or the first operand of NULLIF. */
  adapts: boolean;
  /** The columns of which it may compute something. */
  columns: ColumnNames;
  /** The columns that the result shows unchanged: their types matter for nothing but an order. */
  shown: ColumnNames;
};

export type ColumnNames = {
  /** A column's name or, of its whole row, a table's. */
  alone: Set<string>;
  /** The parts of names with a dot. */
  dotted: Set<string>;
  /** Columns of a table may be read without a name. */
  hasUnnamed: boolean;
};

export const noUses = (): StatementUses => ({
  functions: new Set(),
  operators: new Set(),
  casts: [],
  types: new Set(),
  assigned: new Set(),
  unites: false,
  orders: false,
  adapts: false,
  columns: noNames(),
  shown: noNames(),
});

const noNames = (): ColumnNames => ({ alone: new Set(), dotted: new Set(), hasUnnamed: false });

const COMPARISONS = ["=", "<>", "<", ">", "<=", ">="];
/** Operators of two operands. Each of PostgreSQL's own by these names results in a boolean. */
const CONDITION_OPERATORS = new Set([...COMPARISONS, "~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*", "@>", "<@"]);
const TIMES = ["date", "time", "timetz", "timestamp", "timestamptz"];
/** Columns that every table has, and no star names. */
const SYSTEM_COLUMNS: Readonly<Record<string, string>> = {
  cmax: "cid",
  cmin: "cid",
  ctid: "tid",
  tableoid: "oid",
  xmax: "xid",
  xmin: "xid",
};
/** The types that the offsets of a frame can have. */
const OFFSETS = ["int2", "int4", "int8", "numeric", "float8", "interval"];

/** The types that nodes of a kind result in by themselves. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  A_Expr: ["bool"],
  BoolExpr: ["bool"],
  BooleanTest: ["bool"],
  GroupingFunc: ["int4"],
  NullTest: ["bool"],
  RangeFunction: ["int8"],
  SQLValueFunction: TIMES,
  SubLink: ["bool"],
};
const UNITING = new Set(
  "A_ArrayExpr A_Expr A_Indices CTECycleClause CaseExpr CoalesceExpr FuncCall JoinExpr MinMaxExpr SubLink".split(" "),
);
const ORDERING = new Set("CTECycleClause GroupingSet MinMaxExpr SortBy WindowDef".split(" "));

/** Adds what a node of the statement's tree uses, without what is beneath it. */
export function addUses(uses: StatementUses, kind: string, node: Node): void {
  addAll(uses.types, RESULTS[kind] ?? []);
  uses.unites ||= UNITING.has(kind);
  uses.orders ||= ORDERING.has(kind);
  uses.adapts ||= kind === "ParamRef" || node.kind === "AEXPR_NULLIF";
  ADD[kind]?.(uses, node);
}

type Add = (uses: StatementUses, node: Node) => void;

const ADD: Readonly<Record<string, Add>> = {
  A_Const: (uses, node) => addAll(uses.types, literalTypes(node)),
  A_Expr: (uses, { kind, name }) => {
    addAll(uses.operators, /BETWEEN/.test(String(kind)) ? COMPARISONS : [lastName(name)]);
  },
  A_Indices: (uses, { uidx, lidx }) => {
    if (!isNumber(uidx) || !isNumber(lidx)) addAll(uses.assigned, ["int4", "text"]);
  },
  A_Indirection: (uses, { indirection }) => {
    addAll(uses.functions, allNames(indirection));
    addAll(uses.columns.dotted, allNames(indirection));
  },
  A_Star: ({ columns }) => {
    columns.hasUnnamed = true;
  },
  BoolExpr: (uses, { args }) => addConditions(uses, args as Node[]),
  BooleanTest: (uses, { arg }) => addConditions(uses, [arg]),
  CTECycleClause: ({ operators }) => addAll(operators, COMPARISONS),
  CaseExpr: (uses, { arg, args }) => {
    if (arg) uses.operators.add("=");
    else
      addConditions(
        uses,
        (args as { CaseWhen: Node }[]).map(({ CaseWhen }) => CaseWhen.expr),
      );
  },
  ColumnRef: (uses, node) => addColumn(uses, uses.columns, node),
  FuncCall: (uses, { funcname, agg_filter, agg_distinct }) => {
    uses.functions.add(lastName(funcname));
    addConditions(uses, [agg_filter]);
    uses.orders ||= agg_distinct === true;
  },
  JoinExpr: (uses, { quals, usingClause, isNatural, alias }) => {
    addConditions(uses, [quals]);
    addAll(uses.columns.alone, allNames(usingClause));
    uses.columns.hasUnnamed ||= isNatural === true || renamesColumns(alias);
    if (!usingClause && isNatural !== true) return;
    uses.operators.add("=");
    uses.orders = true;
  },
  RangeVar: (uses, { alias }) => {
    uses.columns.hasUnnamed ||= renamesColumns(alias);
  },
  SelectStmt: (uses, node) => {
    const { op, valuesLists = [], groupClause, distinctClause, whereClause, havingClause } = node;
    const isSet = op !== undefined && op !== "SETOP_NONE";
    uses.unites ||= isSet || (valuesLists as unknown[]).length > 1;
    uses.orders ||= isSet || groupClause !== undefined || distinctClause !== undefined;
    addConditions(uses, [whereClause, havingClause]);
    for (const limit of [node.limitCount, node.limitOffset]) if (!isNumber(limit)) uses.assigned.add("int8");
  },
  SubLink: (uses, { testexpr, operName }) => {
    if (testexpr) uses.operators.add(operName ? lastName(operName) : "=");
  },
  TypeCast: (uses, { arg, typeName }) => {
    const from = typeOf(arg as Node);
    // A text or a NULL in the statement is read by the type's own input function.
    if (from !== "unknown") uses.casts.push({ to: elementName(typeName), ...(from === undefined ? {} : { from }) });
  },
  TypeName: (uses, node) => uses.types.add(elementName(node)),
  WindowDef: (uses, { startOffset, endOffset }) => {
    if (!isNumber(startOffset) || !isNumber(endOffset)) addAll(uses.assigned, OFFSETS);
  },
};

/** Adds a column that stands by itself in the result. */
export const addShown = (uses: StatementUses, node: Node): void => addColumn(uses, uses.shown, node);

function addColumn(uses: StatementUses, columns: ColumnNames, node: Node): void {
  const fields = node.fields as Node[];
  const names = allNames(fields);
  addAll(uses.functions, names.slice(1));
  addAll(fields.length === 1 ? columns.alone : columns.dotted, names);
  columns.hasUnnamed ||= "A_Star" in fields.at(-1)!;
  const name = names.at(-1) ?? "";
  if (Object.hasOwn(SYSTEM_COLUMNS, name)) uses.types.add(SYSTEM_COLUMNS[name]!);
}

function addAll(names: Set<string>, more: readonly string[]): void {
  for (const name of more) names.add(name);
}

function addConditions(uses: StatementUses, expressions: readonly unknown[]): void {
  if (!expressions.every((each) => each === undefined || isCondition(each as Node))) uses.assigned.add("bool");
}

/** Whether an expression is plainly a boolean. */
function isCondition(expression: Node): boolean {
  const [kind = ""] = Object.keys(expression);
  const node = expression[kind] as Node;
  if (kind === "A_Const" || kind === "TypeCast") return ["bool", "unknown"].includes(typeOf(expression) ?? "");
  if (kind === "SubLink") return /EXISTS|ANY|ALL/.test(String(node.subLinkType));
  if (kind !== "A_Expr") return /^(BoolExpr|BooleanTest|NullTest)$/.test(kind);
  if (node.kind === "AEXPR_NULLIF") return false;
  return node.kind !== "AEXPR_OP" || (node.lexpr !== undefined && CONDITION_OPERATORS.has(lastName(node.name)));
}

/** The type of a literal or a cast: "unknown" for a text or NULL, undefined where the statement does not say it. */
function typeOf({ A_Const: literal, TypeCast: cast }: Node): string | undefined {
  if (cast) return elementName((cast as Node).typeName);
  const types = literal ? literalTypes(literal as Node) : [];
  if (types[0] === "text") return "unknown";
  return types.length === 1 ? types[0] : undefined;
}

function literalTypes(literal: Node): string[] {
  if ("ival" in literal) return ["int4"];
  if ("fval" in literal) return ["int8", "numeric"];
  if ("boolval" in literal) return ["bool"];
  return "bsval" in literal ? ["bit"] : ["text"];
}

/** An alias as in `t AS x(a, b)`. */
const renamesColumns = (alias: unknown): boolean => (alias as Node | undefined)?.colnames !== undefined;

/** There is none, or it is a whole number that the text spells. */
const isNumber = (expression: unknown): boolean =>
  expression === undefined || "ival" in ((expression as { A_Const?: object }).A_Const ?? {});

const allNames = (path: unknown): string[] =>
  ((path ?? []) as { String?: { sval?: string } }[]).flatMap(({ String: name }) => name?.sval ?? []);
const lastName = (path: unknown): string => allNames(path).at(-1) ?? "";
/** `_int4` is an array of `int4`, and so is `int4[]`. */
const elementName = (typeName: unknown): string => lastName((typeName as Node).names).replace(/^_/, "");
