// The API's types are the published client's: clients/typescript/README.md says how they are made.

export type * from "../../../clients/typescript/schema.d.ts";
