// The words of flaws that schemas find where the library's own say less than a caller needs.

import { z } from "@hono/zod-openapi";

/** For the whole Worker, from the first import on. What a schema says itself goes before it. */
export function setFlawTexts(): void {
  z.config({
    customError: ({ code, input, ...issue }) => {
      const isText = code === "invalid_type" && issue["expected"] === "string";
      if (isText && typeof input === "number") return `Send it as text, in quotes: "${input}".`;
      if (input !== undefined) return undefined;
      if (code === "invalid_type") return `It is missing: send ${String(issue["expected"])}.`;
      if (code === "invalid_value") return `It is missing: send one of ${(issue["values"] as unknown[]).join(", ")}.`;
      return undefined;
    },
  });
}
