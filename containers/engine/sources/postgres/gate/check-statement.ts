// The gate before a source of PostgreSQL's kind: which statements are sent at all, decided on PostgreSQL's own parse
// tree. `forbidden.ts` lists the names that no statement may use; a statement that passes runs in a read-only
// transaction.

import libpg from "libpg-query";
import { Failure } from "../../../core/failure.ts";
import type { GateRules } from "./gate-rules.ts";

/** The refusal of what the parser can't hold. The thread that holds the parser is not used again. */
export class TooComplex extends Failure {
  constructor() {
    super("statement_refused", "The statement is too large or too deeply nested.");
  }
}

const READS_SETTING = "current_setting";

const { hasSqlDetails, loadModule, parseSync, scanSync } = libpg;

export const loadParser = loadModule;

/** A statement, and how many values are bound to it. */
export type StatementText = { sql: string; parameters?: number };

/** The tokens of a text that parses; `start` and `end` count bytes. */
export const tokensOf = (sql: string): { start: number; end: number; text: string; tokenName: string }[] =>
  scanSync(sql).tokens;

/**
 * Throws `statement_refused` unless `sql` is exactly one SELECT (VALUES, TABLE, WITH), EXPLAIN of one, or SHOW, that
 * neither writes nor locks nor calls a forbidden function; `sql_error` where it does not parse. Gives the statement's
 * node. `parameters`: how many values are bound to it, `$1` to the last.
 */
export function checkStatement(sql: string, rules: GateRules, parameters = 0): Record<string, unknown> {
  // The wire ends text at a NUL: the parser here would have seen more than the server.
  if (sql.includes("\0")) throw refused("The statement holds a NUL character.");
  const statements = parseBy(rules, sql);
  if (statements.length === 0) throw refused("There is no statement in the text.");
  if (statements.length > 1) throw refused("Send one statement at a time.");
  const statement = (statements[0] as { stmt?: Record<string, unknown> }).stmt ?? {};
  const kind = Object.keys(statement)[0] ?? "";
  if (kind !== "SelectStmt" && kind !== "ExplainStmt" && kind !== "VariableShowStmt")
    throw refused(`${spell(kind)} is not allowed: sources are read only. Use SELECT, EXPLAIN or SHOW.`);
  if (kind === "VariableShowStmt") checkSetting((statement[kind] as { name?: string }).name, rules);
  checkTree(statement, kind, { rules, parameters });
  return statement;
}

/** Where the text is none of PostgreSQL's, what the server might have made of it is said with the parser's words. */
function parseBy({ checkTokens, syntaxHint }: GateRules, sql: string): unknown[] {
  try {
    checkTokens?.(sql);
    return parse(sql);
  } catch (error) {
    if (syntaxHint === undefined || !(error instanceof Failure) || error.code !== "sql_error") throw error;
    throw new Failure("sql_error", `${error.message}. ${syntaxHint}`, { position: error.position });
  }
}

type Check = { rules: GateRules; parameters: number };

/** Walks the tree without recursion, for its depth is the caller's choice. */
function checkTree(root: Record<string, unknown>, rootKind: string, { rules, parameters }: Check): void {
  const names = (path: unknown): string[] => namesIn(path).map(rules.fold);
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) {
      for (const item of node) open.push(item);
      continue;
    }
    if (typeof node !== "object" || node === null) continue;
    if ("funcname" in node)
      checkFunction(names(node.funcname), "args" in node && Array.isArray(node.args) ? node.args : [], rules);
    if ("relname" in node) checkRelation(node as { schemaname?: string; relname: string }, rules);
    // `('x'::text).f`, and `t.f` where t is a function in FROM, are other spellings of `f('x')`.
    if ("indirection" in node) checkNotation(names(node.indirection), rules);
    if ("fields" in node) checkNotation(names(node.fields).slice(1), rules);
    if ("ParamRef" in node) checkParameter(node.ParamRef as { number?: number }, parameters);
    for (const [key, value] of Object.entries(node)) {
      checkMember(key, node === root ? rootKind : "");
      if (typeof value === "object" && value !== null) open.push(value);
    }
  }
}

function checkMember(key: string, rootKind: string): void {
  if (key.endsWith("Stmt") && key !== "SelectStmt" && key !== rootKind)
    throw refused(`${spell(key)} is not allowed inside a statement: sources are read only.`);
  if (key === "intoClause") throw refused("SELECT INTO is not allowed: sources are read only.");
  if (key === "lockingClause")
    throw refused("Locking rows (FOR UPDATE, FOR SHARE) is not allowed: sources are read only.");
}

function checkParameter({ number = 0 }: { number?: number }, parameters: number): void {
  if (parameters === 0)
    throw refused("The statement has parameters ($1): name them ($name), and send their values in parameters.");
  if (number < 1 || number > parameters) throw refused(`No value is bound to the parameter $${number}.`);
}

function checkFunction(path: string[], args: unknown[], rules: GateRules): void {
  if (rules.isForbiddenFunction(path, args.length)) throw forbidden(path.join("."));
  if (path.at(-1) === READS_SETTING)
    checkSetting((args[0] as { A_Const?: { sval?: { sval?: string } } } | undefined)?.A_Const?.sval?.sval, rules);
}

/** Undefined is a name that only the server would come to know. */
function checkSetting(name: string | undefined, { isForbiddenSetting }: GateRules): void {
  if (name === undefined)
    throw refused(`${READS_SETTING} takes a setting's name in quotes here, for some settings hold secrets.`);
  if (name === "all" && isForbiddenSetting(name))
    throw refused(
      "SHOW ALL is not allowed: some settings hold secrets of the server. Ask for one by its name: SHOW work_mem.",
    );
  if (isForbiddenSetting(name))
    throw refused(
      `The setting ${name} is not allowed: it shows secrets of the server. Ask for another one by its name.`,
    );
}

type Relation = { schemaname?: string; relname: string };

function checkRelation({ schemaname, relname }: Relation, { fold, isForbiddenRelation }: GateRules): void {
  if (!isForbiddenRelation(schemaname === undefined ? undefined : fold(schemaname), fold(relname))) return;
  throw refused(`${relname} is not allowed: it holds the server's configuration or secrets, not this database's data.`);
}

function checkNotation(path: string[], { isForbiddenName }: GateRules): void {
  const name = path.find((each) => each === READS_SETTING || isForbiddenName(each));
  if (name !== undefined) throw forbidden(name);
}

/** The names in a list of name nodes; stars and subscripts are none. */
const namesIn = (path: unknown): string[] =>
  (Array.isArray(path) ? (path as { String?: { sval?: string } }[]) : []).flatMap(
    ({ String: name }) => name?.sval ?? [],
  );

/** Throws as {@link checkStatement}. */
export function parse(sql: string): unknown[] {
  if (sql.trim() === "") return [];
  try {
    return parseSync(sql).stmts ?? [];
  } catch (error) {
    if (!hasSqlDetails(error)) throw new TooComplex();
    const { message, cursorPosition = -1 } = error.sqlDetails ?? { message: error.message };
    if (message.startsWith("memory exhausted") || message.startsWith("stack depth")) throw new TooComplex();
    throw new Failure("sql_error", message, { position: cursorPosition >= 0 ? cursorPosition + 1 : undefined });
  }
}

const forbidden = (name: string) =>
  refused(`The function ${name} is not allowed: it reaches beyond reading this database's tables.`);

export const refused = (message: string): Failure => new Failure("statement_refused", message);

/** `CreateTableAsStmt` → `CREATE TABLE AS`, as people know it. */
const spell = (kind: string) =>
  kind
    .replace(/Stmt$/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toUpperCase() || "This statement";
