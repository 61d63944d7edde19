// JSON pointers as problems and flaws name a place in a body.

/** One step of a JSON pointer (RFC 6901), its slash with it. */
export const pointerStep = (step: string | number): string =>
  `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
