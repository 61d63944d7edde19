// Readers of values throw this where text has not the form of its type; whoever reads a row says it of the column.

export class InvalidValue extends Error {}

/** `what`, for people: what the value is, where more can be said of it. */
export const invalidValue = (what = "a value that is not written as one of its type"): never => {
  throw new InvalidValue(what);
};
