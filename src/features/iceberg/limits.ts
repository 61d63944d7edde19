// Bounds of Iceberg's REST catalog.

export const ICEBERG_LIMITS = {
  /** One load of a table writes so many manifests at most beyond its newest snapshot's: ten in half a second. */
  manifestsPerLoadMax: 100,
  /**
   * One load looks at so many files beyond its newest snapshot's. The lake's catalog does it, whose commits wait
   * meanwhile: a hundred thousand in a tenth of a second.
   */
  filesPerLoadMax: 1_000_000,
  credentialSeconds: 3_600,
} as const;
