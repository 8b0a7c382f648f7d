import { httpStatusOf, type ErrorCode } from '@quire/shared/errors';
import { schemaOf, type Answer } from './api-description.js';
import { errorExamples } from './error-examples.js';
import { headersOf } from './answer-headers.js';
import { EXAMPLE_REQUEST_ID } from './shared-parts.js';

/** The answers of an operation's errors by status, each with the codes that it may carry. */
export function errorAnswers(codes: readonly ErrorCode[]): Record<number, Answer> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) {
    const status = httpStatusOf[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      { headers: headersOf(status, codes), ...errorAnswer([...these]) },
    ]),
  );
}

function errorAnswer(codes: readonly ErrorCode[]): Answer {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorExamples[code].when}.`).join('\n\n'),
    content: {
      'application/json': {
        schema: {
          allOf: [schemaOf('Error'), { properties: { error_code: { enum: [...codes] } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
}

function exampleOf(code: ErrorCode) {
  const { when, message, details } = errorExamples[code];
  const value = { error_code: code, message, request_id: EXAMPLE_REQUEST_ID, ...(details && { details }) };
  return { summary: when, value };
}
