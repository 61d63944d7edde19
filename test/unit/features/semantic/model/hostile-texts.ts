// What somebody might send as a model to read files, to run code, to stall whoever reads it, or to be given other SQL
// than the model says. Each is refused with these words.

/** A cube with one dimension of this SQL, as JSON, which is YAML. */
export const withSql = (sql: string): string => withDimension({ sql });
export const withDimension = (fields: object): string =>
  withCube({ dimensions: [{ name: "one", type: "string", ...fields }] });
export const withMeasure = (fields: object): string =>
  withCube({ measures: [{ name: "one", type: "sum", sql: "x", ...fields }] });
export const withCube = (fields: object): string =>
  JSON.stringify({ cubes: [{ name: "orders", sql_table: "orders", ...fields }] });

const named = (name: string): string => withCube({ name });
const withMember = (name: string): string => withDimension({ name, sql: "x" });

const REFERENCE = /is no reference/;
const UNKNOWN = /there is no cube and no member|has no member called/;
const BRACES = /brace is no reference/;
const JINJA = /Jinja/;
const CONTEXT = /team's roles/;
const BACKSLASH = /backslash/i;
const DOLLAR = /without a dollar sign/;

/** A name, the file's text, and what is said of it. */
export const HOSTILE_TEXTS: [string, string, RegExp][] = [
  // Prototypes and the process beneath.
  ["a constructor's constructor", withSql("{view.constructor.constructor('return process')().pid}"), REFERENCE],
  ["a constructor by its name", withSql("{CUBE.constructor}"), UNKNOWN],
  ["the prototype of a cube", withSql("{CUBE.__proto__}"), UNKNOWN],
  ["the prototype of a prototype", withSql("{CUBE.__proto__.__proto__}"), UNKNOWN],
  ["a constructor's prototype", withSql("{orders.constructor.prototype}"), UNKNOWN],
  ["what every object has", withSql("{CUBE.hasOwnProperty}"), UNKNOWN],
  ["the text of a function", withSql("{CUBE.toString}"), UNKNOWN],
  ["a function that Cube gives to SQL", withSql("{CUBE.sql}"), UNKNOWN],
  ["a call of it", withSql("{orders.sql()}"), REFERENCE],
  ["the process", withSql("{process.env}"), UNKNOWN],
  ["the environment", withSql("{process.env.PATH}"), UNKNOWN],
  ["a module", withSql("{require('fs').readFileSync('/etc/passwd')}"), REFERENCE],
  ["an import", withSql("{import('fs')}"), REFERENCE],
  ["the global object", withSql("{globalThis}"), UNKNOWN],
  ["a function from text", withSql("{Function('return 1')()}"), REFERENCE],
  ["eval", withSql("{eval('1')}"), REFERENCE],
  ["a template within", withSql("{`${process.pid}`}"), DOLLAR],
  ["a string within", withSql("{'a'}"), REFERENCE],
  ["an f-string within", withSql('{f"{process}"}'), REFERENCE],
  ["an operation", withSql("{CUBE.x + 1}"), REFERENCE],
  ["a subscript", withSql("{CUBE['constructor']}"), REFERENCE],
  ["an optional chain", withSql("{CUBE?.constructor}"), REFERENCE],
  ["a lambda", withSql("{lambda x: x}"), REFERENCE],
  ["an assignment", withSql("{x = 1}"), REFERENCE],
  ["a comma", withSql("{CUBE, process}"), REFERENCE],
  ["blanks", withSql("{ CUBE }"), REFERENCE],
  ["nothing", withSql("{}"), REFERENCE],
  ["a dot more", withSql("{CUBE.}"), REFERENCE],
  ["a digit first", withSql("{1}"), REFERENCE],
  ["letters of another alphabet that look alike", withSql("{СUBE}"), REFERENCE],
  ["an escape of a letter", withSql("{\\u0043UBE}"), BRACES],
  ["a format of Python", withSql("{CUBE!r}"), REFERENCE],
  ["a width of Python", withSql("{CUBE:>10}"), REFERENCE],
  // Out of the template, and out of the string of Python around it.
  ["a dollar and braces", withSql("${process.exit()}"), DOLLAR],
  ["a dollar and a reference", withSql("${CUBE}.x"), DOLLAR],
  ["a dollar and an escaped brace", withSql("$\\{process.exit()}"), DOLLAR],
  ["a backtick with a backslash", withSql("\\`+process.exit()+`"), BACKSLASH],
  ["a backtick with two", withSql("\\\\`+process.exit()+\\\\`"), BACKSLASH],
  ["a quote with a backslash", withSql('\\"+process.exit()+"'), BACKSLASH],
  ["a backslash at the end", withSql("x\\"), BACKSLASH],
  ["two backslashes and a brace", withSql("\\\\{process}"), BACKSLASH],
  ["a character by its number", withSql("'\\x41'"), BACKSLASH],
  ["a class of a regular expression", withSql("x ~ '\\d+'"), BACKSLASH],
  ["a brace that opens", withSql("{CUBE"), BRACES],
  ["a brace that closes", withSql("CUBE}"), BRACES],
  ["braces in braces", withSql("{a{b}c}"), BRACES],
  ["a NUL", withSql("x\u0000y"), /control character/],
  ["a mark of ours", withSql("\ue000"), /control character/],
  // Templates.
  ["an expression of Jinja", withSql("{{ env_var('SECRET') }}"), JINJA],
  ["a statement of Jinja", withSql("{% for x in range(9) %}x{% endfor %}"), JINJA],
  ["a comment of Jinja", withSql("{# x #}"), JINJA],
  ["half of Jinja", withSql("x }}"), JINJA],
  // Cube's own contexts.
  ...[
    "SECURITY_CONTEXT.tenant.unsafeValue()",
    "FILTER_PARAMS.orders.at.filter('at')",
    "FILTER_GROUP(1)",
    "COMPILE_CONTEXT.securityContext",
    "SQL_UTILS.convertTz('at')",
    "USER_CONTEXT.id",
  ].map((call): [string, string, RegExp] => [call, withSql(`{${call}}`), /can't be used/]),
  ["the security context in small letters", withSql("{security_context}"), UNKNOWN],
  ["the groups of Cube's cloud", withSql("{groups}"), UNKNOWN],
  ["the attributes of Cube's cloud", withSql("{user_attributes.email}"), UNKNOWN],
  ["an access policy", withCube({ access_policy: [{ group: "*" }] }), CONTEXT],
  ["a mask", withDimension({ sql: "x", mask: { sql: "{process}" } }), CONTEXT],
  // Out of the SQL.
  ["a bound value", withSql("'$0$'"), /bound value/],
  ["a value of PostgreSQL", withSql("x = $1"), /bound value/],
  ["a value of the others", withSql("x = ?"), /bound value/],
  ["quotes with dollars", withSql("$$x$$"), /dollar sign/],
  ["a second statement", withSql("x; DROP TABLE orders"), /semicolon/],
  ["a comment to the end", withMeasure({ sql: "x) FROM secrets --" }), /bracket/],
  ["a comment of a server", withSql("/*! x */"), /comment is/],
  ["a hint", withSql("/*+ x */ y"), /comment is/],
  ["a comment without an end", withSql("x /* y"), /comment is/],
  ["a comment of MySQL", withSql("x # y"), /MySQL/],
  ["minus minus", withSql("5--3"), /comment is/],
  ["a quote without an end", withSql("'x"), /quote/],
  ["a quote of two dialects", withSql("'\\\\' OR 1=1 --'"), /quote/],
  ["a name without an end", withSql('"x'), /quote/],
  ["a bracket too many", withSql("x) OR (1=1"), /bracket/],
  ["a bracket of another kind", withSql("(x]"), /bracket/],
  ["many brackets", withSql(`${"(".repeat(200)}x${")".repeat(200)}`), /too deep/],
  ["two columns", withSql("x, y"), /comma/],
  ["another table", withSql("x FROM secrets"), /FROM/],
  ["a union", withSql("x UNION SELECT password"), /UNION|SELECT/],
  ["an alias", withSql("x AS y"), /AS/],
  ["characters by their numbers", withSql('U&"d\\\\0061t"'), /U&/],
  ["a reference in quotes", withSql("'{CUBE}'"), /quotes/],
  ["a table that is a query", withCube({ sql_table: "(SELECT 1) x" }), /names no table/],
  ["a table and a comment", withCube({ sql_table: "orders --" }), /names no table/],
  ["a table by reference", withCube({ sql_table: "{CUBE}" }), /names no table/],
  ["a function as a table", withCube({ sql_table: "read_csv('/etc/passwd')" }), /names no table/],
  ["a label with a quote", withDimension({ case: { when: [{ sql: "x", label: "a' OR 'b" }] } }), /label has no/],
  // Names.
  ...[
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "hasOwnProperty",
    "cubeName",
    "process",
    "view",
    "CUBE",
    "class",
    "lambda",
    "arguments",
    "SECURITY_CONTEXT",
    "user_attributes",
  ].map((name): [string, string, RegExp] => [`a cube called ${name}`, named(name), /be called/]),
  ...["constructor", "__proto__", "valueOf", "sql", "cubeObj", "CUBE", "FILTER_PARAMS"].map(
    (name): [string, string, RegExp] => [`a member called ${name}`, withMember(name), /be called/],
  ),
  ["a name with SQL in it", named('orders" AS x; --'), /is no name/],
  ["a name with a dot", named("a.b"), /is no name/],
  ["a name of another alphabet", named("заказы"), /is no name/],
  ["a long name", named("a".repeat(200)), /longer than/],
  [
    "a keyword as a reference",
    withCube({
      dimensions: [
        { name: "class", sql: "x", type: "string" },
        { name: "two", sql: "{class}", type: "string" },
      ],
    }),
    /nothing can refer/,
  ],
  [
    "a member of two names that are one in SQL",
    withCube({
      dimensions: [
        { name: "orderId", sql: "x", type: "string" },
        { name: "order_id", sql: "x", type: "string" },
      ],
    }),
    /alias/,
  ],
  // Bombs.
  [
    "a laugh of aliases",
    `a: &a [x, x]\nb: &b [${"*a, ".repeat(9)}*a]\nc: &c [${"*b, ".repeat(9)}*b]\nd: &d [${"*c, ".repeat(9)}*c]\ncubes: [*d, *d, *d]\n`,
    /aliases/,
  ],
  [
    "a laugh of merge keys",
    `${Array.from({ length: 9 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: [${`*m${i}, `.repeat(9)}*m${i}]}\n`)
      .join("")
      .replace(
        "m1: &m1",
        `m0: &m0 {${Array.from({ length: 500 }, (_, i) => `k${i}: x`).join(", ")}}\nm1: &m1`,
      )}cubes: [${"{<<: *m9},".repeat(600)}]\n`,
    /merge keys take over|aliases/,
  ],
  ["a circle of merge keys", "cubes: [&a {<<: *a, name: x}]\n", /./],
  ["a merge key of text", "cubes: [{<<: x}]\n", /<< takes over/],
  ["a circle of aliases", "cubes: &a\n  - *a\n", /itself|anchor|aliases/],
  ["much depth", `cubes: ${"[".repeat(500)}${"]".repeat(500)}`, /deep/],
  ["many words", `cubes: [${"a,".repeat(200_000)}]`, /words and signs/],
  ["many lines", "\n".repeat(200_000), /lines/],
  ["a tag of JavaScript", "cubes: !!js/function 'function () {}'", /tag/],
  ["a tag of Python", "cubes: !!python/object/apply:os.system ['id']", /tag/],
  ["a second document", "cubes: []\n---\ncubes: []\n", /more than one document/],
  ["a key twice", "cubes: []\ncubes: []\n", /twice/],
  ["__proto__ as a key", '{"cubes": [], "__proto__": {"x": 1}}', /__proto__/],
  ["a constructor as a field", withCube({ constructor: { prototype: {} } }), /not known/],
  [
    "members that write out to too much",
    withCube({
      dimensions: Array.from({ length: 28 }, (_, i) => ({
        name: `d${i}`,
        type: "string",
        sql: i === 0 ? "x" : `concat({d${i - 1}}, {d${i - 1}})`,
      })),
    }),
    /with all that it refers to/i,
  ],
  [
    "a long chain of members",
    withCube({
      dimensions: Array.from({ length: 200 }, (_, i) => ({
        name: `d${i}`,
        type: "string",
        sql: i === 199 ? "x" : `{d${i + 1}}`,
      })),
    }),
    /over more than/,
  ],
  [
    "a circle of members",
    withCube({
      dimensions: [
        { name: "a", type: "string", sql: "{b}" },
        { name: "b", type: "string", sql: "{a}" },
      ],
    }),
    /refers to itself/,
  ],
  ["itself", withSql("{one}"), /refers to itself/],
  [
    "a circle of parents",
    JSON.stringify({
      cubes: [
        { name: "a", extends: "b" },
        { name: "b", extends: "a" },
      ],
    }),
    /extends itself/,
  ],
  [
    "parents that add up",
    JSON.stringify({
      cubes: Array.from({ length: 20 }, (_, i) => ({
        name: `c${i}`,
        sql_table: "t",
        ...(i > 0 ? { extends: `c${i - 1}` } : {}),
        segments: Array.from({ length: 100 }, (_, k) => ({ name: `s${i}_${k}`, sql: "x" })),
      })),
    }),
    /more than 10000 members/,
  ],
  ["backslashes in a row before a quote", withSql(`'${"\\\\".repeat(12_000)}' x`), /quote/],
  ["quotes in a row", withSql(`'${"'".repeat(40_000)}`), /quote/],
  ["signs in a row", withSql(`${"&".repeat(40_000)}?`), /bound value/],
  ["stars of comments in a row", withSql("/*".repeat(20_000)), /comment is/],
  ["a long text", withSql(`'${"x".repeat(60_000)}'`), /characters/],
];
