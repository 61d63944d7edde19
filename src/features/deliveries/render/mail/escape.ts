// Text as HTML: nothing of it becomes markup.

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string => text.toWellFormed().replace(/[&<>"']/g, (each) => ENTITIES[each]!);

/** An address that a link may have; undefined for any other, such as `javascript:`. */
export const linkTarget = (url: string): string | undefined =>
  /^(https?:\/\/|mailto:)[^\s]+$/i.test(url) ? url : undefined;
