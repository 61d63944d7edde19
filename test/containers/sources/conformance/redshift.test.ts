import { redshiftUnderTest } from "../../../support/node/sources/conformance/redshift.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("Amazon Redshift", redshiftUnderTest);
