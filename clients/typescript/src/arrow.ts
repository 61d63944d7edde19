// Results as Arrow record batches. An entry of its own, since it needs the package `apache-arrow` beside the client.

import { RecordBatchReader, type RecordBatch } from "apache-arrow";

/** The record batches of `fjord.stream(query, "arrow")`, each as soon as it is whole. */
export async function* recordBatches(stream: ReadableStream<Uint8Array>): AsyncGenerator<RecordBatch, void, undefined> {
  const reader = await RecordBatchReader.from(stream);
  for await (const batch of reader) yield batch;
}
