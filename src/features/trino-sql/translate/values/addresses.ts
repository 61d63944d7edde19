// Addresses of hosts in the form of RFC 5952, which is that of URLs, too.

const FOUR = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:[.](?!$)|$)){4}$/;

/** Undefined for what is none, and for one of four bytes within one of sixteen, which Trino writes by itself. */
export function addressText(text: string): string | undefined {
  if (FOUR.test(text)) return text;
  if (!/^[0-9a-f:]{2,39}$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  return /^(::ffff:|::[0-9a-f]+(:[0-9a-f]+)?$)/.test(address) && address !== "::1" ? undefined : address;
}
