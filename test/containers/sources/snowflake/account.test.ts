// Credentials of Snowflake: which account, names and texts are taken at all, and which host an account becomes.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import {
  checkCredentials,
  loginNameOf,
  readAccount,
} from "../../../../containers/engine/sources/snowflake/connection/account.ts";
import {
  FORGED_ACCOUNTS,
  FORGED_NAMES,
  FORGED_USERNAMES,
  GOOD_CREDENTIALS,
} from "../../../support/node/sources/snowflake/forged-credentials.ts";

/** The failure with which credentials are refused; undefined where they are taken. */
function refusalOf(changed: Partial<typeof GOOD_CREDENTIALS>): Failure | undefined {
  try {
    checkCredentials({ ...GOOD_CREDENTIALS, ...changed });
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === "connection_failed") return error;
    throw error;
  }
}

describe("an account of Snowflake", () => {
  it.each([
    ["myorg-account123", "myorg-account123.snowflakecomputing.com"],
    ["MYORG-Account123", "myorg-account123.snowflakecomputing.com"],
    ["myorg-my_account", "myorg-my-account.snowflakecomputing.com"],
    ["xy12345", "xy12345.snowflakecomputing.com"],
    ["xy12345.us-east-1", "xy12345.us-east-1.snowflakecomputing.com"],
    ["xy12345.us-east-2.aws", "xy12345.us-east-2.aws.snowflakecomputing.com"],
    ["XY12345.EAST-US-2.AZURE", "xy12345.east-us-2.azure.snowflakecomputing.com"],
    ["xy12345.europe-west4.gcp", "xy12345.europe-west4.gcp.snowflakecomputing.com"],
    ["xy12345.us-east-1-gov.aws", "xy12345.us-east-1-gov.aws.snowflakecomputing.com"],
    ["xy12345.cn-northwest-1.aws", "xy12345.cn-northwest-1.aws.snowflakecomputing.cn"],
    ["xy12345.us-east-1.privatelink", "xy12345.us-east-1.privatelink.snowflakecomputing.com"],
    ["xy12345.east-us-2.azure.privatelink", "xy12345.east-us-2.azure.privatelink.snowflakecomputing.com"],
    ["myorg-account123.privatelink", "myorg-account123.privatelink.snowflakecomputing.com"],
  ])("%s is at %s", (account, host) => {
    expect(readAccount(account).host).toBe(host);
  });

  it.each(FORGED_ACCOUNTS)("is not %j", (account) => {
    expect(refusalOf({ account })).toMatchObject({ reason: "host_forbidden" });
  });

  it("leads below Snowflake's domains whatever its text is", () => {
    const parts = fc.constantFrom(
      "xy12345",
      "us-east-1",
      "aws",
      "privatelink",
      ".",
      "-",
      "_",
      "/",
      "evil",
      ":",
      "@",
      "A",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(parts, { maxLength: 7 }).map((all) => all.join("")),
    );
    let taken = 0;
    fc.assert(
      fc.property(text, (account) => {
        if (refusalOf({ account })) return;
        taken++;
        const { host } = readAccount(account);
        expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+){0,3}\.snowflakecomputing\.(com|cn)$/);
        expect(new URL(`https://${host}/session`).host).toBe(host);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

describe("names in credentials of Snowflake", () => {
  it.each([
    ["shop", "SHOP"],
    ["Shop_2$", "SHOP_2$"],
    ['"Shop"', "Shop"],
    ['"my shop"', "my shop"],
    ["my-shop", "my-shop"],
    ["bücher", "bücher"],
  ])("%s is the database %s", (database, name) => {
    expect(checkCredentials({ ...GOOD_CREDENTIALS, database }).database).toBe(name);
  });

  it("are sent as the login reads them back", () => {
    expect(["SHOP", "Shop", "my-shop", "1ST"].map(loginNameOf)).toEqual(["SHOP", '"Shop"', '"my-shop"', '"1ST"']);
  });

  it.each(FORGED_NAMES)("are not %j", (name) => {
    const refused = [{ warehouse: name }, { database: name }, { role: name }].filter((changed) => refusalOf(changed));
    expect(refused).toHaveLength(3);
  });

  it.each(FORGED_USERNAMES)("a user is not named %j", (username) => {
    expect(refusalOf({ username })).toMatchObject({ reason: "authentication" });
  });

  it("may leave out the role alone, and no password is empty or endless", () => {
    expect(checkCredentials(GOOD_CREDENTIALS).role).toBeUndefined();
    expect(checkCredentials({ ...GOOD_CREDENTIALS, role: "" }).role).toBeUndefined();
    for (const changed of [{ warehouse: "" }, { database: "" }, { password: "" }, { password: "x".repeat(10_000) }])
      expect(refusalOf(changed)).toBeDefined();
  });

  it("are not repeated by the refusal", () => {
    const canary = "canary\n;'\"";
    for (const part of ["account", "username", "warehouse", "database", "role"])
      expect(JSON.stringify(refusalOf({ [part]: canary }))).not.toContain("canary");
  });
});
