// The answers of authenticators, checked by @simplewebauthn/server. It is loaded by its first use: most isolates of the
// Worker never need it.

import type { WebAuthnCredential } from "@simplewebauthn/server";
import { fromBase64url } from "../../../core/encoding.ts";
import type { NewPasskey, PasskeyAnswer } from "./passkey.ts";

/** Where and to what an authenticator has answered. */
export type Expected = { challenge: string; host: string; origin: string };

/** ES256, Ed25519 and RS256 by their COSE numbers: what authenticators have. */
export const ALGORITHMS = [-7, -8, -257];

type Library = typeof import("@simplewebauthn/server") & typeof import("@simplewebauthn/server/helpers");
let library: Library | undefined;

/** What is kept is the library, and not the promise of it: no request waits for what another one has begun. */
async function loadLibrary(): Promise<Library> {
  library ??= { ...(await import("@simplewebauthn/server")), ...(await import("@simplewebauthn/server/helpers")) };
  return library;
}

/** The new credential's public half; undefined for an answer that proves nothing. */
export async function verifyRegistration(
  { id, rawId, type, response }: NewPasskey["response"],
  { challenge, host, origin }: Expected,
): Promise<WebAuthnCredential | undefined> {
  const library = await loadLibrary();
  if (!isPlainAttestation(library, response.attestationObject)) return undefined;
  const checked = library.verifyRegistrationResponse({
    response: { id, rawId, type, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { registrationInfo } = await checked.catch(asUnverified);
  return registrationInfo?.credential;
}

/**
 * Nobody asks which maker's device it is, so browsers leave that out. Statements that name certificates are refused:
 * checking them would ask hosts that the certificates name.
 */
function isPlainAttestation({ decodeAttestationObject }: Library, attestationObject: string): boolean {
  try {
    const decoded = decodeAttestationObject(fromBase64url(attestationObject)!);
    const format = decoded.get("fmt");
    return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

/** The authenticator's count of uses; undefined for an answer that proves nothing. */
export async function verifySignIn(
  { id, rawId, type, response }: PasskeyAnswer["response"],
  credential: WebAuthnCredential,
  { challenge, host, origin }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle, ...signed } = response;
  const checked = verifyAuthenticationResponse({
    response: {
      ...{ id, rawId, type, clientExtensionResults: {} },
      response: { ...signed, ...(userHandle && { userHandle }) },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential,
  });
  const { verified, authenticationInfo } = await checked.catch(asUnverified);
  return verified ? authenticationInfo?.newCounter : undefined;
}

/** The library throws for whatever is wrong with an answer. */
function asUnverified(error: unknown): {
  verified: false;
  registrationInfo?: undefined;
  authenticationInfo?: undefined;
} {
  if (error instanceof Error) return { verified: false };
  throw error;
}
