// The failure of a query that can't be answered, in words for its sender.

import userError from "@cubejs-backend/schema-compiler/dist/src/compiler/UserError.js";

/** A subclass of the compiler's error, so that its refusals and ours are reported alike. */
export class Refused extends userError.UserError {}
