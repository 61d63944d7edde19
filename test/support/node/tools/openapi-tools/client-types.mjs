// Runs in the cache folder that has the tools: prints the TypeScript types of the document on standard input as the
// client and the console take them. Failures, which are one document everywhere, headers and texts for people are left
// out.

import { text } from "node:stream/consumers";
import openapiTypes, { astToString } from "openapi-typescript";

const TEXTS = new Set(["description", "summary", "example", "examples", "pattern", "format", "title"]);
/** What a path or an operation does not have; nothing asks for it. */
const ABSENT = /^ *(query|header|path|cookie|get|put|post|delete|options|head|patch|trace|requestBody)\?: never;\n/gm;

/** An answer's headers, which are read by their names where one is asked for. */
const HEADERS = /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm;

const document = JSON.parse(await text(process.stdin));
// The session's cookie does not count there: clients of Cube send keys.
for (const path of Object.keys(document.paths)) if (path.startsWith("/cubejs-api/")) delete document.paths[path];
for (const operations of Object.values(document.paths)) {
  for (const operation of Object.values(operations)) {
    if (operation.responses) operation.responses = successesOf(operation.responses);
  }
}
const types = astToString(await openapiTypes(JSON.stringify(withoutTexts(document))));
process.stdout.write(
  `// The API's types, made from /openapi.json. Nobody edits this file: clients/typescript/README.md says how it is made.\n\n` +
    types.replaceAll(ABSENT, "").replaceAll(HEADERS, ""),
);

function successesOf(responses) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return Object.fromEntries(successes.map(([status, { headers: _, ...response }]) => [status, response]));
}

/** A member that is called so in a schema's `properties` is no text. */
function withoutTexts(value, isProperties = false) {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => isProperties || !TEXTS.has(name));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutTexts(each, name === "properties" && !isProperties)]),
  );
}
