// JSON pointers as problems and flaws name a place in a body.

/** One step of a JSON pointer (RFC 6901), its slash with it. */
export const pointerStep = (step: string | number): string =>
  `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The steps of a JSON pointer. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
