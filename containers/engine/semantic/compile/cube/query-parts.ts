// The parts of Cube's query classes that its evaluators use, without the classes of a dozen databases.

export { BaseMeasure } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseMeasure.js";
export { BaseQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
