import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import type { Method } from '../src/http/route.js';
import type { OpenApiDocument } from '../src/openapi/openapi-objects.js';
import { headerProblems } from './described-headers.js';
import { schemasOf } from './document-schemas.js';

/** Reads a response, expects it to fit the document's operation (`get /path`) and returns its JSON. */
export type ResponseCheck = (
  operation: string,
  response: Response,
  status: number,
) => Promise<Record<string, unknown>>;

export function describedResponses(document: OpenApiDocument): ResponseCheck {
  const schemas = schemasOf(document);
  const problemsOfHeaders = headerProblems(document);
  return async (operation, response, status) => {
    const [method, path] = operation.split(' ') as [Method, string];
    const text = await response.text();
    expect({ status: response.status, text }).toEqual({ status, text });
    const answer = document.paths[path]?.[method]?.responses[String(status)];
    expect(answer, `${operation} does not describe ${status}`).toBeDefined();
    const pointer = ['paths', path, method, 'responses', String(status)];

    if (!answer) return {};
    expect(problemsOfHeaders(answer, Object.fromEntries(response.headers))).toEqual([]);

    if (!answer.content) {
      expect(text).toBe('');
      return {};
    }
    const type = response.headers.get('content-type')?.replace(/;.*/, '') ?? '';
    const content = [...pointer, 'content', type];
    expect(Object.keys(answer.content)).toContain(type);
    if (type === 'text/event-stream') {
      const events = eventsIn(text);
      expect(events.length).toBeGreaterThan(0);
      for (const { event, data } of events) {
        expect(schemas.problemsAt([...content, 'x-events', event], JSON.parse(data))).toEqual([]);
        expect(schemas.problemsAt([...content, 'schema'], JSON.parse(data))).toEqual([]);
      }
      return {};
    }
    const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
    expect(schemas.problemsAt([...content, 'schema'], body)).toEqual([]);
    return typeof body === 'object' ? (body as Record<string, unknown>) : {};
  };
}

function eventsIn(text: string): { event: string; data: string }[] {
  const events: { event: string; data: string }[] = [];
  const parser = createParser({ onEvent: ({ event = '', data }) => void events.push({ event, data }) });
  parser.feed(text);
  return events;
}
