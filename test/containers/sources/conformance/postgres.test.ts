import { postgresUnderTest } from "../../../support/node/sources/conformance/postgres.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("PostgreSQL", postgresUnderTest);
