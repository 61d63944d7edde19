// Bounds of what is done with buckets.

export const BUCKET_LIMITS = { signedUrlSeconds: 3_600 } as const;
