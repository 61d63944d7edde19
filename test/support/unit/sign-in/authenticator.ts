// An authenticator in software, by the WebAuthn specification: it makes ES256 key pairs and signs with them. It shares
// no code with what checks its answers.

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };
type Bytes = Uint8Array<ArrayBuffer>;

export type AuthenticatorSettings = {
  origin?: string;
  /** How often it says it was used; 0: it does not count. */
  counter?: number;
  isUserVerified?: boolean;
  /** The statement's format and its members, in CBOR. */
  attestation?: { format: string; statement: Bytes };
};

const encode = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const join = (...parts: (Uint8Array | number[])[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** CBOR of a text, and of bytes, of less than 65,536 bytes. */
const header = (major: number, length: number): number[] =>
  length < 24 ? [major | length] : length < 256 ? [major | 24, length] : [major | 25, length >> 8, length & 255];
export const cborText = (text: string): Bytes => join(header(0x60, text.length), encode(text));
export const cborBytes = (bytes: Uint8Array): Bytes => join(header(0x40, bytes.length), bytes);

export class Authenticator {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(32)));
  readonly settings: Required<AuthenticatorSettings>;
  #keys: CryptoKeyPair | undefined;
  #userHandle = "";

  constructor(settings: AuthenticatorSettings = {}) {
    this.settings = {
      origin: "https://fjord.test",
      counter: 0,
      isUserVerified: true,
      attestation: { format: "none", statement: Uint8Array.of(0xa0) },
      ...settings,
    };
  }

  /** `navigator.credentials.create`, as `toJSON` gives it. */
  async create({ challenge, rp, user }: Options) {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    this.#keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
    this.#userHandle = user!.id;
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", this.#keys.publicKey)) as ArrayBuffer);
    const [x, y] = [point.slice(1, 33), point.slice(33)];
    const coseKey = join([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21], cborBytes(x), [0x22], cborBytes(y));
    const rawId = Uint8Array.from(atob(this.id.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const credential = join(new Uint8Array(16), [0, rawId.length], rawId, coseKey);
    const authData = join(await this.#authData(rp!.id, 0x40), credential);
    const { format, statement } = this.settings.attestation;
    const attestationObject = join(
      ...[[0xa3], cborText("fmt"), cborText(format), cborText("attStmt"), statement],
      ...[cborText("authData"), cborBytes(authData)],
    );
    return this.#answer({
      clientDataJSON: base64url(this.#clientData("webauthn.create", challenge)),
      attestationObject: base64url(attestationObject),
      transports: ["internal"],
    });
  }

  /** `navigator.credentials.get`, as `toJSON` gives it. */
  async get({ challenge, rpId }: Options) {
    const authData = await this.#authData(rpId!, 0);
    const clientData = this.#clientData("webauthn.get", challenge);
    const signed = join(authData, await sha256(clientData));
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const raw = new Uint8Array(await crypto.subtle.sign(algorithm, this.#keys!.privateKey, signed));
    return this.#answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(derOf(raw)),
      userHandle: this.#userHandle,
    });
  }

  #answer<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: "public-key" as const, clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string): Bytes {
    return encode(JSON.stringify({ type, challenge, origin: this.settings.origin, crossOrigin: false }));
  }

  async #authData(rpId: string, flags: number): Promise<Bytes> {
    const { counter, isUserVerified } = this.settings;
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return join(await sha256(encode(rpId)), [flags | 0x01 | (isUserVerified ? 0x04 : 0)], count);
  }
}

/** A signature of two numbers, as ASN.1 has it. */
function derOf(raw: Uint8Array): Bytes {
  const integer = (bytes: Uint8Array): number[] => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.slice(start)];
    return [0x02, digits.length + (digits[0]! > 127 ? 1 : 0), ...(digits[0]! > 127 ? [0] : []), ...digits];
  };
  const content = [...integer(raw.slice(0, 32)), ...integer(raw.slice(32))];
  return Uint8Array.from([0x30, content.length, ...content]);
}
