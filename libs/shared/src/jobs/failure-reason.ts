import { classifyError, errorCodeSchema, errorWithCode, Internal, type QuireError } from '../errors/index.js';

/** BullMQ keeps only a string of a failure; ours starts with the error code so that it can be told apart later. */
export function describeFailure(error: unknown): string {
  const { code, message } = classifyError(error);
  return `${code}: ${message}`;
}

/** The reverse of `describeFailure`, for whoever waits for the job's result. */
export function errorFromFailure(reason: string): QuireError {
  return describedError(reason) ?? new Internal(undefined, { cause: new Error(reason) });
}

/** The queue itself has given the job up: it has cost its workers their life, or could not be read. */
export function isGivenUp(reason: string): boolean {
  return describedError(reason) === undefined;
}

function describedError(reason: string): QuireError | undefined {
  const [, name, message] = /^([A-Z_]+): (.*)$/s.exec(reason) ?? [];
  const code = errorCodeSchema.safeParse(name);
  return code.success && message !== undefined ? errorWithCode(code.data, message) : undefined;
}
