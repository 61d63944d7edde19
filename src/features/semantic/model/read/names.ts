// The names that cubes, views and their members can have. Names become aliases of SQL, and the compiler looks some of
// them up where its own are. Cube makes identifiers of Python and JavaScript of them, so a valid name has no other
// characters.

import { shorten } from "../template.ts";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME_CHARACTERS_MAX = 128;

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** The keywords of both languages: as the first part of a reference they would be read as something else. */
const KEYWORDS = words(
  "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield match case print exec " +
    "arguments catch const debugger default delete do enum eval export extends false function implements instanceof " +
    "interface let new null package private protected public static super switch this throw true typeof undefined var " +
    "void NaN Infinity",
);
/** The compiler reads them as something of its own wherever they stand. */
const RESERVED = words(
  "CUBE TABLE SECURITY_CONTEXT security_context securityContext FILTER_PARAMS FILTER_GROUP SQL_UTILS USER_CONTEXT " +
    "COMPILE_CONTEXT userAttributes user_attributes",
);
/** The functions that a compiled model can call. */
const GLOBALS = words(
  "cube view view_group context addExport setExport asyncModule require module exports global globalThis process " +
    "console Function Object Reflect Proxy Symbol Buffer",
);
/** Every object of JavaScript has them, or every cube of the compiler. */
const INHERITED: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...words("prototype cubeName cubeObj sql toJSON then __cubeName __user __cubeJoinField"),
  ...words("_objectWithResolvedProperties"),
]);

export function flawOfName(name: string): string | undefined {
  if (!IDENTIFIER.test(name))
    return `${shorten(name)} is no name: it has letters of a to z, digits and underscores, and does not begin with a digit.`;
  if (name.length > NAME_CHARACTERS_MAX) return `It is longer than ${NAME_CHARACTERS_MAX} characters.`;
  if (INHERITED.has(name)) return `Nothing can be called ${name}: the compiler has something of this name.`;
  return undefined;
}

const flawAmong = (name: string, kind: string, ...taken: readonly ReadonlySet<string>[]): string | undefined =>
  taken.some((names) => names.has(name))
    ? `No ${kind} can be called ${name}: in references the word means something else.`
    : undefined;

export const flawOfDefinitionName = (name: string): string | undefined =>
  flawOfName(name) ?? flawAmong(name, "cube or view", KEYWORDS, GLOBALS, RESERVED);

export const flawOfMemberName = (name: string): string | undefined =>
  flawOfName(name) ?? flawAmong(name, "member", RESERVED);

/** A member may be called so, but nothing can refer to it. */
export const isKeyword = (name: string): boolean => KEYWORDS.has(name);

/** The compiler's name for a cube or a member (`cube.member`) in SQL. Two members of one alias would be one column. */
export const aliasOf = (path: string): string =>
  path.replaceAll(/[A-Z]/g, "_$&").replace(/^_/, "").toLowerCase().replaceAll(".", "__");
