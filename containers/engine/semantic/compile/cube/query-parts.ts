// What Cube's evaluators use of its query classes: not those of a dozen databases.

export { BaseMeasure } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseMeasure.js";
export { BaseQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
