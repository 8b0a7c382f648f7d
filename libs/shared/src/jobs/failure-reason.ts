import { classifyError, errorCodeSchema, errorWithCode, Internal, type QuireError } from '../errors/index.js';

/** BullMQ stores a string for a failure: it starts with the error code, so that the error can be restored. */
export function describeFailure(error: unknown): string {
  const { code, message } = classifyError(error);
  return `${code}: ${message}`;
}

/** The reverse of `describeFailure`, for the process that waits for the job's result. */
export function errorFromFailure(reason: string): QuireError {
  return describedError(reason) ?? new Internal(undefined, { cause: new Error(reason) });
}

/** Whether no handler reported the failure: the job crashed its workers, or its payload is invalid. */
export function isGivenUp(reason: string): boolean {
  return describedError(reason) === undefined;
}

function describedError(reason: string): QuireError | undefined {
  const [, name, message] = /^([A-Z_]+): (.*)$/s.exec(reason) ?? [];
  const code = errorCodeSchema.safeParse(name);
  return code.success && message !== undefined ? errorWithCode(code.data, message) : undefined;
}
