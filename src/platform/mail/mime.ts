// A mail as the text that is sent: RFC 5322 with MIME (RFC 2045), printable ASCII throughout.

import { toBase64 } from "../../core/encoding.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { headerLine, headerName, headerParameter, headerText, type HeaderValue } from "./header.ts";
import type { Mail, MailFile, Sender } from "./mail.ts";

type Part = { headers: readonly [name: string, value: HeaderValue][]; body: string };

/** A character of a file's name may take twelve in the header. */
const FILE_NAME_CHARACTERS_MAX = 60;
const SUBJECT_CHARACTERS_MAX = 250;

/** One address: without what parts it from another, or quotes. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[A-Za-z0-9.-]+$/;
const CONTENT_ID = /^[\w.@+-]+$/;

/** Throws an Error for an address or a content id that cannot stand in a header. */
export function mimeOf(mail: Mail, from: Sender): string {
  const { headers, body } = contentOf(mail);
  const all: [string, HeaderValue][] = [
    ["From", from.name === null ? [from.address] : [...headerName(from.name), `<${from.address}>`]],
    ["To", [required(ADDRESS, mail.to)]],
    ["Subject", headerText(oneLine(mail.subject, SUBJECT_CHARACTERS_MAX) || "(no subject)")],
    ["Date", [mail.at.toUTCString().replace("GMT", "+0000")]],
    ["Message-ID", [`<${mail.id}@${from.address.split("@")[1]}>`]],
    ["Auto-Submitted", ["auto-generated"]],
    ...unsubscribing(mail),
    ["MIME-Version", ["1.0"]],
    ...headers,
  ];
  return serialize({ headers: all, body });
}

function required(pattern: RegExp, text: string): string {
  if (!pattern.test(text)) throw new Error(`${JSON.stringify(text)} can't stand in a header of a mail.`);
  return text;
}

/** RFC 8058: the mail program sends the POST itself. */
const unsubscribing = ({ unsubscribeUrl: url }: Mail): [string, HeaderValue][] =>
  url === null
    ? []
    : [
        ["List-Unsubscribe", [`<${url}>`]],
        ["List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"]],
      ];

const serialize = ({ headers, body }: Part): string =>
  `${headers.map(([name, value]) => headerLine(name, value)).join("\r\n")}\r\n\r\n${body}`;

/** The text, its HTML with the pictures that the HTML shows, and the files beside them. */
function contentOf({ id, text, html, files }: Mail): Part {
  const pictures = files.filter(({ contentId }) => contentId !== null);
  const attachments = files.filter(({ contentId }) => contentId === null);
  let content = textPart("plain", text);
  if (html !== null) {
    const shown = textPart("html", html);
    const related = pictures.length === 0 ? shown : multipart("related", id, [shown, ...pictures.map(filePart)]);
    content = multipart("alternative", id, [content, related]);
  }
  const beside = html === null ? files : attachments;
  return beside.length === 0 ? content : multipart("mixed", id, [content, ...beside.map(filePart)]);
}

/** No line of base64 begins with the boundary, which has dashes. */
function multipart(kind: "mixed" | "alternative" | "related", id: string, parts: Part[]): Part {
  const boundary = `${kind}-${id}`;
  const body = parts.map((part) => `--${boundary}\r\n${serialize(part)}\r\n`).join("");
  return {
    headers: [["Content-Type", [`multipart/${kind};`, `boundary="${boundary}"`]]],
    body: `${body}--${boundary}--`,
  };
}

const textPart = (kind: "plain" | "html", text: string): Part =>
  base64Part([["Content-Type", [`text/${kind}; charset=utf-8`]]], new TextEncoder().encode(text));

function filePart({ name: given, mediaType, contentId, bytes }: MailFile): Part {
  const name = oneLine(given, FILE_NAME_CHARACTERS_MAX) || "file";
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : "application/octet-stream";
  const disposition = contentId === null ? "attachment" : "inline";
  return base64Part(
    [
      ["Content-Type", [type]],
      ["Content-Disposition", [`${disposition};`, headerParameter("filename", name)]],
      ...(contentId === null
        ? []
        : [["Content-ID", [`<${required(CONTENT_ID, contentId)}>`]] as [string, HeaderValue]]),
    ],
    bytes,
  );
}

const base64Part = (headers: [string, HeaderValue][], bytes: Uint8Array): Part => ({
  headers: [...headers, ["Content-Transfer-Encoding", ["base64"]]],
  body: base64Lines(bytes),
});

/** A line of 76 characters of base64 holds so many bytes, and so many lines are joined at once. */
const LINE_BYTES = 57;
const LINES_AT_ONCE = 512;

function base64Lines(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += LINE_BYTES * LINES_AT_ONCE)
    pieces.push(toBase64(bytes.subarray(from, from + LINE_BYTES * LINES_AT_ONCE)));
  return pieces.join("").replaceAll(/.{76}(?=.)/g, "$&\r\n");
}
