// Amazon Redshift as a source.

import { Failure } from "../../core/failure.ts";
import type { Connector } from "../connector.ts";

const unsupported = (): Promise<never> =>
  Promise.reject(new Failure("connection_failed", "This kind of source is not supported yet.", { reason: "other" }));

export const redshift: Connector<"redshift"> = {
  test: unsupported,
  introspect: unsupported,
  query: unsupported,
  openSnapshot: unsupported,
};
