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
