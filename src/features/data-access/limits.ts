// Bounds of roles, and of users' attributes.

export const DATA_ACCESS_LIMITS = {
  rolesPerTeamMax: 1_000,
  /** All roles of a team have so many bytes, as kept: whoever has them all has them read in one piece. */
  grantBytesPerTeamMax: 24 * 1024 * 1024,
  grantsPerRoleMax: 1_000,
  /** A role's grants have so many bytes, as kept; a row takes two megabytes. */
  grantBytesPerRoleMax: 1024 * 1024,
  descriptionCharactersMax: 2_000,
  /** An answer tells so much of one user's grants, and of what they see of a lake. */
  grantsShownMax: 20_000,
  columnsShownMax: 50_000,
  attributesMax: 100,
  attributeValuesMax: 1_000,
  attributeBytesMax: 64 * 1024,
} as const;
