import { snowflakeUnderTest } from "../../../support/node/sources/conformance/snowflake.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("Snowflake", snowflakeUnderTest);
