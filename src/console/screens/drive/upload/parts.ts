// A file is cut into parts to be uploaded. Pure.

type PartBounds = { part_bytes_min: number; part_bytes_max: number; parts_max: number };

const WANTED_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

/** All parts but the last have this size: large enough that they suffice for the file, small enough to send again. */
export function partSize(bytes: number, bounds: PartBounds): number {
  const least = Math.ceil(bytes / bounds.parts_max / MIB) * MIB;
  return Math.min(bounds.part_bytes_max, Math.max(WANTED_BYTES, bounds.part_bytes_min, least));
}

export const rangeOf = (index: number, partBytes: number, bytes: number): { start: number; end: number } => ({
  start: index * partBytes,
  end: Math.min(bytes, (index + 1) * partBytes),
});
