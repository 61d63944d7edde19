// Mails have these styles. Many mail programs know inline styles alone; those that know `prefers-color-scheme` turn to
// the dark colours by the classes.

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * A chart is drawn in light alone, and is a white card in the dark. A second picture in `<picture>` would be read by
 * few mail programs, and the others would list it as a file. The card's colour is that of the words in its place.
 */
export const STYLES = {
  page: `margin:0;padding:0;background:#f3f4f6;color:#1f2937;font-family:${FONT}`,
  frame: "width:100%;max-width:640px;background:#ffffff;border-radius:8px",
  cell: "padding:16px 20px",
  title: `margin:0;font:600 20px/1.3 ${FONT};color:#1f2937`,
  heading: `margin:0 0 8px;font:600 15px/1.4 ${FONT};color:#1f2937`,
  text: `margin:0 0 8px;font:14px/1.5 ${FONT};color:#374151`,
  muted: `margin:6px 0 0;font:12px/1.5 ${FONT};color:#6b7280`,
  link: "color:#1d4ed8",
  number: `margin:0;font:600 32px/1.2 ${FONT};color:#1f2937`,
  scroll: "overflow-x:auto",
  table: `width:100%;border-collapse:collapse;font:13px/1.4 ${FONT}`,
  head: "padding:6px 8px;border-bottom:2px solid #d1d5db;text-align:left;color:#4b5563;font-weight:600",
  data: "padding:6px 8px;border-bottom:1px solid #e5e7eb;text-align:left;vertical-align:top;color:#1f2937",
  picture:
    "display:block;box-sizing:border-box;width:100%;max-width:600px;height:auto;padding:8px;border:0;border-radius:8px;" +
    "background:#ffffff;color:#1f2937",
  code: "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px",
  quote: "margin:0 0 8px;padding-left:12px;border-left:3px solid #d1d5db",
} as const;

export type StyleName = keyof typeof STYLES;

/** The attributes of an element that looks so. */
export const styled = (name: StyleName, more = ""): string =>
  `class="${name}" style="${STYLES[name]}${more && `;${more}`}"`;

export const HEAD_STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0f1115!important}.frame{background:#16181d!important}
.title,.heading,.number,.data{color:#e7eaf0!important}.text{color:#cbd2dd!important}
.muted,.head{color:#a4acba!important}.link{color:#93b4ff!important}
.head,.data{border-color:#343a46!important}.quote{border-color:#4b5563!important}}`;
