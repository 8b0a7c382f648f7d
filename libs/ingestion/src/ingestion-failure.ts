/** The ingestion cannot continue; the message is for its user. */
export class IngestionFailure extends Error {
  override readonly name = 'IngestionFailure';
}
