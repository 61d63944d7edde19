// A statement that is refused at a place in its text, in the words and with the name that Trino has for it.

/** Trino's names and numbers of the errors that are told, each an error of whoever wrote the statement. */
export const USER_ERRORS = {
  GENERIC_USER_ERROR: 0,
  SYNTAX_ERROR: 1,
  USER_CANCELED: 3,
  PERMISSION_DENIED: 4,
  NOT_FOUND: 5,
  FUNCTION_NOT_FOUND: 6,
  NOT_SUPPORTED: 13,
  TRANSACTION_CONFLICT: 17,
  CATALOG_NOT_FOUND: 44,
  SCHEMA_NOT_FOUND: 45,
  TABLE_NOT_FOUND: 46,
  COLUMN_NOT_FOUND: 47,
  SCHEMA_ALREADY_EXISTS: 49,
  TABLE_ALREADY_EXISTS: 50,
  DUPLICATE_COLUMN_NAME: 54,
  MISSING_COLUMN_NAME: 55,
  TYPE_MISMATCH: 58,
  INVALID_LITERAL: 59,
  COLUMN_TYPE_UNKNOWN: 60,
  MISMATCHED_COLUMN_ALIASES: 61,
  AMBIGUOUS_NAME: 62,
  INVALID_COLUMN_REFERENCE: 63,
  INVALID_PARAMETER_USAGE: 80,
} as const;
export type UserError = keyof typeof USER_ERRORS;

/** `at` is where in the text, in UTF-16 code units from 0. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly error: UserError;
  readonly at: number | undefined;

  constructor(error: UserError, message: string, at?: number) {
    super(message);
    this.error = error;
    this.at = at;
  }
}

/** For what is Trino's, but is not proven to mean the same here. */
export const unsupported = (what: string, at: number): Refusal =>
  new Refusal("NOT_SUPPORTED", `${what} is not supported here.`, at);

export const tooLong = (at?: number): Refusal =>
  new Refusal("NOT_SUPPORTED", "The statement is too long once it is translated.", at);
