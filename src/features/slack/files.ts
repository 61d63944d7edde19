// The pictures and files of a message: brought to Slack before it is posted, where nobody sees them, and shared in its
// channel after it.

import type { Needs } from "../../clients/context.ts";
import { cutText } from "../../core/text/cut-text.ts";
import type { SlackRequest } from "../../platform/slack/slack.ts";
import { SLACK_CALL_LIMITS } from "../integrations/slack/limits.ts";
import type { LoadedFile } from "../messages/content.ts";
import { SLACK_LIMITS } from "./limits.ts";
import { outcomeOf, type Refused } from "./post.ts";

type Deps = Needs<"callSlack" | "uploadToSlack">;

/** A file that Slack has, and shows to nobody yet. */
export type UploadedFile = { id: string; title: string };

/** `note`: what stayed behind, and why; null where nothing did. */
export type Uploaded = { kind: "uploaded"; files: UploadedFile[]; note: string | null } | Refused;

const { uploadMs, filesMax, filesPerShareMax, fileNameCharactersMax } = SLACK_LIMITS;

const NEEDS_SCOPE = "Pictures and files need the scope files:write of the Slack app.";

/**
 * `refused` where Slack may take the files later: nobody has seen anything yet, so the whole message may wait. What
 * Slack will not take stays behind, and the message goes without it.
 */
export async function uploadFiles(deps: Deps, token: string, files: readonly LoadedFile[]): Promise<Uploaded> {
  const untilMs = Date.now() + uploadMs;
  const uploaded: UploadedFile[] = [];
  const reasons: string[] = files.length > filesMax ? [`A message to Slack has ${filesMax} of them.`] : [];
  for (const file of files.slice(0, filesMax)) {
    const deadlineMs = Math.min(SLACK_CALL_LIMITS.answerMs, untilMs - Date.now());
    if (deadlineMs <= 0) return later("Slack did not take the pictures and files in time.");
    const answer = await uploadFile(deps, token, { file, deadlineMs });
    if (answer.kind === "uploaded") uploaded.push(answer.file);
    else if (answer.kind === "refused") return answer;
    else reasons.push(answer.reason);
    // Without the scope no other file is taken either.
    if (answer.kind === "left" && answer.reason === NEEDS_SCOPE) break;
  }
  const left = files.length - uploaded.length;
  const note = left === 0 ? null : `${left} of ${files.length} pictures and files stayed behind. ${reasons.at(-1)}`;
  return { kind: "uploaded", files: uploaded, note };
}

type OneUploaded = { kind: "uploaded"; file: UploadedFile } | { kind: "left"; reason: string } | Refused;

async function uploadFile(
  { callSlack, uploadToSlack }: Deps,
  token: string,
  { file: { name, bytes }, deadlineMs }: { file: LoadedFile; deadlineMs: number },
): Promise<OneUploaded> {
  const title = cutText(name, fileNameCharactersMax);
  const body = { filename: title, length: bytes.length };
  const answer = await callSlack({ method: "files.getUploadURLExternal", token, body, deadlineMs });
  if (answer.kind === "refused" && answer.code === "missing_scope") return { kind: "left", reason: NEEDS_SCOPE };
  const asked = outcomeOf(answer);
  if (asked.kind === "refused")
    return asked.cause === "later" || asked.cause === "uncertain"
      ? { ...asked, cause: "later" }
      : { kind: "left", reason: asked.message };
  const { upload_url: url, file_id: id } = asked.body;
  if (typeof url !== "string" || typeof id !== "string") return later("Slack's answer names no upload.");
  const sent = await uploadToSlack({ url, bytes, deadlineMs });
  if (sent.kind === "failed") return later(sent.reason);
  return sent.kind === "ok" ? { kind: "uploaded", file: { id, title } } : { kind: "left", reason: sent.reason };
}

const later = (message: string): Refused => ({ kind: "refused", cause: "later", message });

/** Where they are shared: below the message, or in its thread. */
type Place = { channel: string; thread: string | undefined };

/** Never repeated: the message is posted. Answers what may not have arrived, and why; null where Slack took all. */
export async function shareFiles(
  { callSlack }: Pick<Deps, "callSlack">,
  token: string,
  { files, place: { channel, thread } }: { files: readonly UploadedFile[]; place: Place },
): Promise<string | null> {
  for (let from = 0; from < files.length; from += filesPerShareMax) {
    const body: SlackRequest["body"] = {
      ...{ files: files.slice(from, from + filesPerShareMax), channel_id: channel },
      ...(thread !== undefined && { thread_ts: thread }),
    };
    const deadlineMs = SLACK_CALL_LIMITS.answerMs;
    const shared = outcomeOf(await callSlack({ method: "files.completeUploadExternal", token, body, deadlineMs }));
    if (shared.kind === "refused")
      return `The message was posted; ${files.length - from} of ${files.length} pictures and files may not have been. ${shared.message}`;
  }
  return null;
}
