// A connection to a database is encrypted, and its server believed, by one of the modes of libpq's `sslmode`.

import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import { Failure } from "../core/failure.ts";
import type { DatabaseCredentials, SslMode } from "../../../kernel/wire/source.ts";
import type { Dial } from "../../program/address.ts";

export const sslModeOf = ({ sslmode = "prefer" }: DatabaseCredentials): SslMode => sslmode;

/** Whether TLS is asked for at each try of a connection, in order; the next try is for a server that offers none. */
export const tlsAttempts = (mode: SslMode): boolean[] =>
  mode === "disable" ? [false] : mode === "prefer" ? [true, false] : [true];

/** The settings of Node's TLS that a mode decides. */
export type TlsOptions = Pick<ConnectionOptions, "checkServerIdentity" | "servername"> & {
  rejectUnauthorized: boolean;
  ca?: string[];
};

/** Makes the settings of Node's TLS. Throws `connection_failed` where the certificates to trust can't be read. */
export function tlsOptions(credentials: DatabaseCredentials, dial: Dial): TlsOptions {
  const mode = sslModeOf(credentials);
  const servername = dial.servername === undefined ? {} : { servername: dial.servername };
  if (mode !== "verify-ca" && mode !== "verify-full") return { rejectUnauthorized: false, ...servername };
  const name = dial.servername ?? dial.address;
  return {
    rejectUnauthorized: true,
    ...(credentials.sslrootcert === undefined ? {} : { ca: readCertificates(credentials.sslrootcert) }),
    checkServerIdentity: (_, certificate) =>
      mode === "verify-full" ? checkServerIdentity(name, certificate) : undefined,
    ...servername,
  };
}

/** mysql2 knows no check of its own for a server that is named by an address. */
export function mysqlTlsOptions(credentials: DatabaseCredentials, dial: Dial) {
  const { rejectUnauthorized, ca } = tlsOptions(credentials, dial);
  const verifyIdentity = sslModeOf(credentials) === "verify-full";
  if (verifyIdentity && dial.servername === undefined) {
    const message = "sslmode verify-full needs the server's name as the host; an address can be used with verify-ca.";
    throw new Failure("connection_failed", message, { reason: "tls" });
  }
  return { rejectUnauthorized, verifyIdentity, ...(ca && { ca }) };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws `connection_failed` where the text holds no certificate, or one that can't be read. */
export function readCertificates(text: string): string[] {
  const certificates = text.match(CERTIFICATE) ?? [];
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return certificates;
  } catch {
    // The failure below says it: what OpenSSL has to say helps nobody.
  }
  const message = "sslrootcert holds no certificates that can be read. Send them as PEM text.";
  throw new Failure("connection_failed", message, { reason: "tls" });
}

/** The failure where a server offers no TLS though the mode asks for it. */
export const tlsMissing = (credentials: DatabaseCredentials): Failure =>
  new Failure(
    "connection_failed",
    `The server offers no TLS, and sslmode is ${sslModeOf(credentials)}, as it is once a server has offered it. ` +
      'If this is meant, update the credentials with sslmode "prefer" and the password.',
    { reason: "tls" },
  );

/**
 * The failure where a server asks for the password itself over a connection that anyone on the way can read, or change.
 */
export const cleartextRefused = (): Failure =>
  new Failure(
    "connection_failed",
    "The server asks for the password in the clear, over a connection without TLS. " +
      "Turn TLS on at the server, or allow it with allow_cleartext_password: true among the credentials.",
    { reason: "tls" },
  );

/** A credential by which a server can be believed that is not else. */
type Trusting = "sslmode" | "sslrootcert";

/** OpenSSL's words and Node's, since mysql2 puts a code of its own in place of theirs. */
const CERTIFICATE_ERRORS: { words: RegExp; fault: string; advice?: { by: Trusting; text: string } }[] = [
  {
    words: /certificate's altnames|is not cert's CN/i,
    fault: "The server's certificate is for another name than the host's.",
    advice: { by: "sslmode", text: "With sslmode verify-ca names are not compared." },
  },
  {
    words: /self.signed certificate|unable to (get|verify) .*(issuer|certificate)/i,
    fault: "The server's certificate is signed by no authority that is trusted here.",
    advice: { by: "sslrootcert", text: "Send its authority's certificate as sslrootcert." },
  },
  { words: /certificate has expired/i, fault: "The server's certificate, or its authority's, has expired." },
  { words: /certificate is not yet valid/i, fault: "The server's certificate, or its authority's, is not valid yet." },
];

/**
 * Explains the fault of a server's certificate; undefined for an error that is not about one. `credentials`: those that
 * the server's kind has, of which alone the explanation speaks.
 */
export function explainCertificate(
  error: unknown,
  credentials: readonly Trusting[] = ["sslmode", "sslrootcert"],
): string | undefined {
  const known = CERTIFICATE_ERRORS.find(({ words }) => words.test((error as Error).message));
  const advice = known?.advice && credentials.includes(known.advice.by) ? ` ${known.advice.text}` : "";
  return known && known.fault + advice;
}
