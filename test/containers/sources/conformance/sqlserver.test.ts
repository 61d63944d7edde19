import { sqlServerUnderTest } from "../../../support/node/sources/conformance/sqlserver.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("SQL Server", sqlServerUnderTest);
