// The HTML of a team's own mail: what mails show is kept, and nothing that runs, loads a page or sends a form.

import { invalidAt } from "../../../core/problem.ts";

/** Elements, beside those that every element has, with the attributes that are kept of them. */
const ELEMENTS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    (
      "html head body title div span p br hr h1 h2 h3 h4 h5 h6 b strong i em u s small sub sup code pre blockquote " +
      "ul ol li dl dt dd center thead tbody tfoot caption colgroup style"
    )
      .split(" ")
      .map((name) => [name, []]),
  ),
  a: ["href"],
  img: ["src", "width", "height", "border"],
  font: ["color", "face", "size"],
  table: ["width", "height", "border", "cellpadding", "cellspacing", "bgcolor"],
  tr: ["bgcolor", "height"],
  td: ["width", "height", "colspan", "rowspan", "bgcolor", "nowrap"],
  th: ["width", "height", "colspan", "rowspan", "bgcolor", "nowrap", "scope"],
  col: ["span", "width"],
};
const OF_ALL = ["style", "class", "id", "align", "valign", "title", "alt", "dir", "lang", "role"];
/**
 * Elements that go with all that is in them; of others that are not known the content stays. Elements whose content is
 * read as text must go whole: without their tags it would be read as HTML.
 */
const WITH_CONTENT =
  "script noscript template iframe object embed svg math textarea select xmp plaintext noembed noframes listing".split(
    " ",
  );
const ADDRESSES: Record<string, RegExp> = { href: /^(https?:|mailto:|tel:|#)/i, src: /^(https?:|cid:)/i };

/** Whether a text is meant as HTML: a tag is in it. */
export const isHtml = (text: string): boolean => /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i.test(text);

/** Throws `validation_failed` for HTML that is nested too deeply to be read. */
export async function sanitizeHtml(text: string): Promise<string> {
  const rewriter = new HTMLRewriter()
    .onDocument({ comments: (comment) => void comment.remove() })
    .on("*", { element: cleanElement });
  try {
    return await rewriter.transform(new Response(text)).text();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = "This HTML can't be read: its elements are nested too deeply, or a tag is too long.";
    throw invalidAt("/body", message);
  }
}

function cleanElement(element: Element): void {
  const name = element.tagName.toLowerCase();
  const kept = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (WITH_CONTENT.includes(name)) return void element.remove();
  if (!kept) return void element.removeAndKeepContent();
  for (const [attribute, value] of [...element.attributes] as [string, string][]) {
    const isKept = kept.includes(attribute.toLowerCase()) || OF_ALL.includes(attribute.toLowerCase());
    const isAddress = ADDRESSES[attribute.toLowerCase()]?.test(decodeStart(value)) ?? true;
    if (!isKept || !isAddress) element.removeAttribute(attribute);
  }
}

/** Programs ignore blanks and control characters before an address, and entities may spell its scheme. */
const decodeStart = (value: string): string => (/&/.test(value.split(/[/?#]/)[0] ?? "") ? "" : value.trim());

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " ", amp: "&" };

/** The HTML's words, for programs that show no HTML. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<(style|title)\b[\s\S]*?<\/\1\s*>/gi, "")
    .replace(/[ \t\r\n]+/g, " ")
    .replace(/<(br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/table|hr)\b[^>]*>/gi, "\n")
    .replace(/<\/t[dh]\s*>/gi, "\t")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
