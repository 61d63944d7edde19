// The certificates that a server is verified by, among the credentials of whatever is dialled with TLS.

import { z } from "@hono/zod-openapi";

export const RootCertificates = z
  .string()
  .max(262_144)
  .includes("-----BEGIN CERTIFICATE-----")
  .optional()
  .openapi({ description: "The certificates to verify the server's by, as PEM text. Absent: the public authorities." });
