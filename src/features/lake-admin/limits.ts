// Bounds of what administers lakes.

export const LAKE_ADMIN_LIMITS = {
  /** A lake's health shows so many tables; the worst first. */
  healthTablesMax: 1_000,
  /** One request asks the catalogs of so many lakes that have no summary. */
  lakesMeasuredLiveMax: 10,
  /** One request maintains so many lakes of a team; so many of them begin before it is answered. */
  teamLakesMaintainedMax: 100,
  teamLakesStartedMax: 10,
  /** One request lists so many pages of a lake's bucket, of a thousand objects each. */
  storagePagesMax: 10,
} as const;
