// The vault: credentials and secrets under AES-256-GCM, each bound to the one row it belongs to.

import { fromBase64url, toBase64url } from "../../core/encoding.ts";

/**
 * What a sealed text is bound to; it opens nowhere else: an integration's credentials, a secret by its key, a doc's
 * webhook secret, the secrets that an alert webhook's deliveries are signed with, those that sign a publication's
 * tokens, a destination's address with the secrets that sign what is sent there, the secret of an identity provider's
 * client.
 */
export type Owner = { teamId: string } & (
  | { integrationId: string }
  | { secretKey: string }
  | { docId: string }
  | { alertWebhookId: string }
  | { publicationId: string }
  | { destinationId: string }
  | { identityProviderId: string }
);

export type Sealed = { text: string; keyId: string };

type VaultEnv = Pick<Env, "VAULT_KEYS">;

export type Vault = {
  seal(owner: Owner, plain: string): Promise<Sealed>;
  unseal(owner: Owner, text: string): Promise<string>;
  retiredKeyIds(): string[];
};

export const openVault = (env: VaultEnv): Vault => ({
  seal: (owner, plain) => seal(env, owner, plain),
  unseal: (owner, text) => unseal(env, owner, text),
  retiredKeyIds: () => retiredKeyIds(env),
});

const VERSION = "1";
const IV_BYTES = 12;
const KEY_BYTES = 32;

/** Seals under the vault's first key. The text is `1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. */
export async function seal(env: VaultEnv, owner: Owner, plain: string): Promise<Sealed> {
  const { id, bytes } = currentKey(env);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await importKey(bytes, "encrypt");
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: binding(owner, id) },
    key,
    new TextEncoder().encode(plain),
  );
  return { text: [VERSION, id, toBase64url(iv), toBase64url(new Uint8Array(sealed))].join("."), keyId: id };
}

/** Throws a plain Error when the text was altered, moved from another row, or its key is no longer in the vault. */
export async function unseal(env: VaultEnv, owner: Owner, text: string): Promise<string> {
  const [version, id = "", iv = "", sealed = ""] = text.split(".");
  const found = readKeys(env).find((candidate) => candidate.id === id);
  if (version !== VERSION || !found) throw new Error(`${nameOf(owner)}: no vault key opens what was sealed for it.`);
  const key = await importKey(found.bytes, "decrypt");
  try {
    const plain = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: requireBytes(iv), additionalData: binding(owner, id) },
      key,
      requireBytes(sealed),
    );
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    // Why WebCrypto or base64 refuse it is of no use to anybody.
    throw new Error(`${nameOf(owner)}: the sealed text is not the one that was stored for it.`);
  }
}

/** The ids of the keys that still open and no longer seal. */
export const retiredKeyIds = (env: VaultEnv): string[] =>
  readKeys(env)
    .slice(1)
    .map(({ id }) => id);

type VaultKey = { id: string; bytes: Uint8Array<ArrayBuffer> };

function currentKey(env: VaultEnv): VaultKey {
  const [first] = readKeys(env);
  if (!first) throw new Error("VAULT_KEYS is empty: set it to `<id>:<base64 of 32 bytes>`.");
  return first;
}

function readKeys({ VAULT_KEYS }: VaultEnv): VaultKey[] {
  return VAULT_KEYS.split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry, index) => {
      const [, id, text] = /^([\w-]{1,64}):([A-Za-z0-9+/_-]+=*)$/.exec(entry) ?? [];
      const bytes = id && text ? fromBase64url(text) : undefined;
      if (!id || bytes?.length !== KEY_BYTES)
        throw new Error(`VAULT_KEYS: entry ${index + 1} is not \`<id>:<base64 of 32 bytes>\`.`);
      return { id, bytes };
    });
}

const importKey = (bytes: Uint8Array<ArrayBuffer>, use: "encrypt" | "decrypt"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, "AES-GCM", false, [use]);

/** JSON keeps the parts apart: no two owners and key ids share a text. */
const binding = (owner: Owner, keyId: string): Uint8Array => {
  const { use, id } = described(owner);
  return new TextEncoder().encode(JSON.stringify([use, VERSION, owner.teamId, id, keyId]));
};

const nameOf = (owner: Owner): string => described(owner).name;

function described(owner: Owner): { use: string; id: string; name: string } {
  if ("integrationId" in owner)
    return { use: "fjord credentials", id: owner.integrationId, name: `Integration ${owner.integrationId}` };
  if ("docId" in owner) return { use: "fjord webhook secret", id: owner.docId, name: `Doc ${owner.docId}` };
  if ("alertWebhookId" in owner)
    return { use: "fjord alert secrets", id: owner.alertWebhookId, name: `Alert webhook ${owner.alertWebhookId}` };
  if ("publicationId" in owner)
    return { use: "fjord endpoint secrets", id: owner.publicationId, name: `Publication ${owner.publicationId}` };
  if ("destinationId" in owner)
    return { use: "fjord destination", id: owner.destinationId, name: `Destination ${owner.destinationId}` };
  if ("identityProviderId" in owner) {
    const id = owner.identityProviderId;
    return { use: "fjord identity provider", id, name: `Identity provider ${id}` };
  }
  return { use: "fjord secret", id: owner.secretKey, name: "A secret" };
}

function requireBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64url(text);
  if (!bytes) throw new Error("This is no base64.");
  return bytes;
}
