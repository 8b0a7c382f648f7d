import { describe, expect, it } from 'vitest';
import { classifyError, errorCodeSchema, errorWithCode } from '../errors/index.js';
import { describeFailure, errorFromFailure, isGivenUp } from './failure-reason.js';

describe('failure reasons', () => {
  it.each(errorCodeSchema.options)(
    "a job's failure is restored from its stored text as the same error: %s",
    (code) => {
      const error = errorWithCode(code, 'First line: with a colon\nsecond line');
      const rebuilt = errorFromFailure(describeFailure(error));
      expect(rebuilt).toBeInstanceOf(error.constructor);
      expect(classifyError(rebuilt)).toEqual(classifyError(error));
      expect(isGivenUp(describeFailure(error))).toBe(false);
    },
  );

  it("a job's failure is stored without the words of a dependency", () => {
    expect(describeFailure(new Error('password=hunter2'))).toBe('INTERNAL: Something went wrong on our side');
  });

  it.each([
    '',
    'job stalled more than allowable limit',
    'INVALID_PAYLOAD: [{"path":["run_id"]}]',
    'EMPTY_QUERY',
    'empty_query: x',
    'toString: x',
  ])(
    'a stored reason without an error code becomes an internal error with the reason as its cause: %j',
    (reason) => {
      const error = errorFromFailure(reason);
      expect(error.code).toBe('INTERNAL');
      expect(error.message).toBe('Something went wrong on our side');
      expect(error.cause).toMatchObject({ message: reason });
      expect(isGivenUp(reason)).toBe(true);
    },
  );
});
