// Sends one part to the store. XMLHttpRequest tells how much has been sent, which fetch does not.

export type Sending = { etag: Promise<string>; abort(): void };

/** A part that makes no progress for this long is sent again. */
const PART_MS = 15 * 60_000;

const NO_ETAG = "The bucket's CORS policy does not expose the header ETag, which an upload needs.";
const UNREACHABLE =
  "The bucket could not be reached. The connection may be down, or its CORS policy does not name this page.";

/** `etag` rejects where the store refuses the part, cannot be reached, or the sending was aborted. */
export function sendPart(
  url: string,
  headers: Readonly<Record<string, string>>,
  part: Blob,
  onProgress: (sent: number) => void,
): Sending {
  const request = new XMLHttpRequest();
  const etag = new Promise<string>((resolve, reject) => {
    request.open("PUT", url);
    request.timeout = PART_MS;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const header = request.getResponseHeader("ETag");
      if (request.status >= 300) reject(new Error(`The bucket answered ${request.status}: ${request.responseText}`));
      else if (header === null) reject(new Error(NO_ETAG));
      else resolve(header.replaceAll('"', ""));
    };
    request.onerror = () => reject(new Error(UNREACHABLE));
    request.ontimeout = () => reject(new Error("A part took too long."));
    request.onabort = () => reject(new Error("The upload was stopped."));
    request.send(part);
  });
  return { etag, abort: () => request.abort() };
}
