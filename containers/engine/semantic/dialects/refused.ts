// What a query can't be answered for, in words for whoever asks.

import userError from "@cubejs-backend/schema-compiler/dist/src/compiler/UserError.js";

/** One of the compiler's own, so that what it refuses and what we refuse are told alike. */
export class Refused extends userError.UserError {}
