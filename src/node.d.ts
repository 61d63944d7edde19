// The Worker uses these parts of Node's modules, which the runtime brings with `nodejs_compat`. Node's own types would
// bring all its globals.

declare module "node:crypto" {
  export function createHash(algorithm: "sha256"): Digester;
  export function createHmac(algorithm: "sha256", key: string | Uint8Array): Digester;

  interface Digester {
    update(text: string): this;
    digest(): Uint8Array;
    digest(encoding: "hex" | "base64url"): string;
  }
}

declare module "node:buffer" {
  export const Buffer: { from(text: string): { toString(encoding: "base64" | "base64url"): string } };
}

declare module "node:zlib" {
  export function deflateRawSync(data: Uint8Array): Uint8Array<ArrayBuffer>;
}
