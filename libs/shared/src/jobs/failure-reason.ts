import { classifyError, errorCodeSchema, errorWithCode, Internal, type QuireError } from '../errors/index.js';

/** BullMQ keeps only a string of a failure; ours starts with the error code so that it can be told apart later. */
export function describeFailure(error: unknown): string {
  const { code, message } = classifyError(error);
  return `${code}: ${message}`;
}

/** The reverse of `describeFailure`, for whoever waits for the job's result. */
export function errorFromFailure(reason: string): QuireError {
  const [, name, message] = /^([A-Z_]+): (.*)$/s.exec(reason) ?? [];
  const code = errorCodeSchema.safeParse(name);
  if (!code.success || message === undefined) return new Internal(undefined, { cause: new Error(reason) });
  return errorWithCode(code.data, message);
}
