// Tokens as an application signs them, and as somebody forges them.

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const textOf = (value: unknown): string => encode(new TextEncoder().encode(JSON.stringify(value)));

/** A JSON Web Token, signed with HMAC-SHA256 whatever its header says. */
export async function signToken(secret: string, claims: object, header: object = { alg: "HS256", typ: "JWT" }) {
  const text = `${textOf(header)}.${textOf(claims)}`;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return `${text}.${encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))))}`;
}

/** A token with other claims and the old signature. */
export function withClaims(token: string, claims: object): string {
  const [header, , signature] = token.split(".");
  return `${header}.${textOf(claims)}.${signature}`;
}
