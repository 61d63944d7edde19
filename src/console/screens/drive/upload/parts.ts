// A file is cut into parts to be uploaded. Pure.

export const rangeOf = (index: number, partBytes: number, bytes: number): { start: number; end: number } => ({
  start: index * partBytes,
  end: Math.min(bytes, (index + 1) * partBytes),
});
