// The noun: one mail to one address.

/** `contentId`: under which the HTML shows it as a picture; null for an attachment. */
export type MailFile = { name: string; mediaType: string; contentId: string | null; bytes: Uint8Array };

export type Mail = {
  /** A UUID; the `Message-ID` begins with it. */
  id: string;
  at: Date;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  files: readonly MailFile[];
  /** Where one POST ends the mails to this address; null for mail that its reader asked for just now. */
  unsubscribeUrl: string | null;
};

export type Sender = { name: string | null; address: string };

/** Cloudflare takes as many of one mail, as it is sent. */
export const MAIL_BYTES_MAX = 5 * 1024 * 1024;

/** The headers of a mail, and of each of its parts, come to less. */
const HEADER_BYTES_MAX = 16 * 1024;
const PART_HEADER_BYTES_MAX = 1024;

/** The most that a mail may come to of these contents: base64 makes four bytes of three, in lines of 76 with an end. */
export function mailBytesOf({ text, html, fileBytes }: { text: string; html: string; fileBytes: number[] }): number {
  const parts = [...[text, html].map((each) => new TextEncoder().encode(each).byteLength), ...fileBytes];
  const encoded = parts.map((bytes) => Math.ceil(Math.ceil(bytes / 3) * 4 * (78 / 76)) + PART_HEADER_BYTES_MAX);
  return HEADER_BYTES_MAX + encoded.reduce((sum, bytes) => sum + bytes, 0);
}
