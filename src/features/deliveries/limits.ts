// The bounds of deliveries.

export const DELIVERY_LIMITS = {
  deliveriesPerTeamMax: 500,
  deliveryRecipientsMax: 50,
  deliveryMessageCharactersMax: 5_000,
  /** How long the file of a link can be fetched. */
  deliveryLinkDaysMax: 30,
  deliveryLinkDaysDefault: 7,
  /** Results that one run may send, each by itself and all together; rows are counted apart. */
  deliveryResultBytesMax: 16 * 1024 * 1024,
  deliveryResultsBytesMax: 32 * 1024 * 1024,
  deliveryResultsMax: 50,
  deliveryChartsMax: 20,
} as const;
