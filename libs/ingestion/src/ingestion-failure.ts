/** The ingestion cannot go on; the message tells its user why. */
export class IngestionFailure extends Error {
  override readonly name = 'IngestionFailure';
}
