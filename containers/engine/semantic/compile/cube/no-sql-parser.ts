// Stands in for Cube's parser of SQL, which it uses for cubes that say rewrite_queries; they are refused.

export class SqlParser {
  constructor() {
    throw new Error("rewrite_queries is not supported.");
  }
}
