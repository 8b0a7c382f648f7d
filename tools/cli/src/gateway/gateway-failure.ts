import { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import { plainLine } from '../plain-text.js';

/** Looser than the contract: a newer gateway may know codes that this command line does not. */
const envelopeSchema = z.object({
  error_code: z.string(),
  message: z.string(),
  request_id: z.string().optional(),
  details: z.array(z.object({ path: z.string(), problem: z.string() })).optional(),
});

export interface Refusal {
  code: string;
  message: string;
  requestId?: string | undefined;
  details?: readonly { path: string; problem: string }[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The gateway's message, with advice, details and the request id. */
export function refusalText(refusal: Refusal): string {
  const { code, message, requestId, details = [], retryAfterSeconds } = refusal;
  const sentence = plainLine(message).replace(/\.?$/, '.');
  const again = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const key = code === 'UNAUTHORIZED' ? ' Set QUIRE_API_KEY to a valid key.' : '';
  const more = details.filter(({ problem }) => !message.includes(problem));
  return [
    `${sentence}${again}${key}`,
    ...more.map(({ path, problem }) => `  ${plainLine(path)}: ${plainLine(problem)}`),
    `${plainLine(code)}${requestId === undefined ? '' : `, request ${plainLine(requestId)}`}`,
  ].join('\n');
}

/** The gateway responded with an error. */
export class GatewayRefusal extends CommandFailure {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Reads an error response. */
export async function failureOf(response: Response): Promise<GatewayRefusal> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) {
    return new GatewayRefusal(
      `${response.url} answered with status ${status}: is that a Quire gateway?`,
      status,
    );
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const { error_code: code, request_id: requestId, message, details } = envelope.data;
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  return new GatewayRefusal(refusalText({ code, message, requestId, details, retryAfterSeconds }), status);
}

export function notReachable(url: string): CommandFailure {
  return new CommandFailure(
    `Quire does not answer at ${url}: start it with \`npm start\`, or say where it is with --url or QUIRE_URL.`,
  );
}
