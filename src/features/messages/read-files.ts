// The files and pictures of a message, read for a channel that carries them.

import type { Needs } from "../../clients/context.ts";
import type { Sent } from "../../core/messages.ts";
import type { LoadedFile, MessageContent, MessageFile } from "./content.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import type { Message } from "./message.ts";

type OfTeam = Pick<Message, "teamId">;

/** All of them within the bound; or what becomes of an attempt that has not all of them. Never throws. */
export async function readFiles(
  deps: Needs<"bucket">,
  message: OfTeam,
  { files }: Pick<MessageContent, "files">,
): Promise<LoadedFile[] | Exclude<Sent, { kind: "sent" }>> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MESSAGE_LIMITS.fileBytesMax)
    return { kind: "refused", error: `The files of a message may have ${MESSAGE_LIMITS.fileBytesMax} bytes together.` };
  try {
    const read = await Promise.all(files.map((file) => readFile(deps, message, file)));
    const loaded = read.filter((file) => file !== undefined);
    return loaded.length < read.length ? { kind: "refused", error: "A file of the message is gone." } : loaded;
  } catch (error) {
    console.error(JSON.stringify({ event: "files_not_read", teamId: message.teamId, cause: String(error) }));
    return { kind: "failed", error: "The files of the message could not be read." };
  }
}

/** Undefined where the file is gone, is another's than the team's, or is not what it was. */
async function readFile(
  { bucket }: Needs<"bucket">,
  { teamId }: OfTeam,
  { name, mediaType, contentId, key, bytes }: MessageFile,
): Promise<LoadedFile | undefined> {
  if (!key.startsWith(`${teamId}/`)) return undefined;
  const object = await bucket.read(key);
  if (!object) return undefined;
  if (object.size !== bytes) {
    await object.body.cancel();
    return undefined;
  }
  return { name, mediaType, contentId, bytes: new Uint8Array(await new Response(object.body).arrayBuffer()) };
}
