import { mysqlUnderTest } from "../../../support/node/sources/conformance/mysql.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("MariaDB", mysqlUnderTest);
