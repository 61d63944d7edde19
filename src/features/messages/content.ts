// A message's content is the same whichever channel it goes out on. Pure.

export type { Sent } from "../../core/messages.ts";

/** A file that goes with a message: an object of the bucket, of which the message's own prefix is part. */
export type MessageFile = {
  name: string;
  mediaType: string;
  /** The object's key in the bucket. */
  key: string;
  bytes: number;
  /** Under which the HTML shows it as a picture; null for an attachment. */
  contentId: string | null;
};

/** A file of a message with what is in it. */
export type LoadedFile = Omit<MessageFile, "key" | "bytes"> & { bytes: Uint8Array };

/** A bounded look at rows, for channels that show no HTML. Cells are text as people read it; null is NULL. */
export type MessageTable = { title: string; columns: string[]; rows: (string | null)[][]; rowCount: number };

/** A file that is fetched instead of attached. */
export type MessageLink = { title: string; url: string; expiresAt: string };

export type MessageContent = {
  /** One line. */
  subject: string;
  text: string;
  html: string | null;
  tables: MessageTable[];
  files: MessageFile[];
  links: MessageLink[];
};

/** What a message says that has no words of its own. */
export const EMPTY_CONTENT: MessageContent = { subject: "", text: "", html: null, tables: [], files: [], links: [] };
