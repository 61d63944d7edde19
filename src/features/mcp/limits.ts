// The bounds of what the tools of an agent answer: its context is small, and what does not fit is said to be cut.

export const MCP_LIMITS = {
  rowsMax: 200,
  /** An answer has at most so many characters of data. */
  answerCharactersMax: 50_000,
  /** A tool's statement is ended after this, so that its agent learns of it before a client gives up. */
  statementMsMax: 55_000,
  /** Characters of the glossary, and of the verified queries, in one answer. The rest of it has room beside them. */
  glossaryCharactersMax: 12_000,
  verifiedCharactersMax: 18_000,
  runsMax: 50,
  logLinesMax: 200,
  filesMax: 200,
  /** The rows that `visualize` reads have so many bytes at most, as Arrow. */
  drawnBytesMax: 8 * 1024 * 1024,
  /** Rows that stand beside a picture. */
  drawnRowsMax: 50,
  /** A drawing that an app is given has so many characters at most: a larger one is the picture that agents see. */
  drawingCharactersMax: 512 * 1024,
};
