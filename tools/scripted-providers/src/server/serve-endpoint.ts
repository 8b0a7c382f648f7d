import type { IncomingMessage } from 'node:http';
import { failWith, isFault } from '../behaviours/fault.js';
import type { RecordedRequest } from '../behaviours/script.js';
import type { Access, Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { sendError } from './send-json.js';

export async function serveEndpoint<Request extends { model: string }, Answer extends { kind: string }>(
  endpoint: Endpoint<Request, Answer>,
  access: Access,
  exchange: Exchange,
): Promise<void> {
  try {
    await accept(endpoint, access, exchange);
  } catch (error) {
    if (exchange.response.headersSent) exchange.drop();
    else
      sendError(
        exchange,
        endpoint.protocol,
        failWith(500, { message: `The script failed: ${String(error)}` }),
      );
  }
}

async function accept<Request extends { model: string }, Answer extends { kind: string }>(
  { protocol, requestSchema, script, brokenLimit, respond }: Endpoint<Request, Answer>,
  { requireApiKey, knownModels }: Access,
  exchange: Exchange,
): Promise<void> {
  const parsed = requestSchema.safeParse(await readJsonBody(exchange.request));
  if (parsed.success) script.record(recordOf(exchange, parsed.data));

  if (requireApiKey !== undefined && exchange.request.headers.authorization !== `Bearer ${requireApiKey}`) {
    return sendError(exchange, protocol, protocol.wrongApiKey());
  }
  if (!parsed.success) {
    return sendError(exchange, protocol, protocol.invalidBody(describe(parsed.error.issues[0])));
  }
  const request = parsed.data;
  if (knownModels !== undefined && !knownModels.includes(request.model)) {
    return sendError(exchange, protocol, protocol.unknownModel(request.model));
  }
  const broken = brokenLimit(request);
  if (broken !== undefined) return sendError(exchange, protocol, broken);

  const behaviour = await script.next(request);
  if (!exchange.open) return undefined;
  if (!isFault(behaviour)) return respond(exchange, request, behaviour);
  if (behaviour.kind === 'refuse') return exchange.drop();
  return sendError(exchange, protocol, behaviour);
}

/** Undefined when the body is not JSON. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function recordOf<Request>(exchange: Exchange, body: Request): RecordedRequest<Request> {
  const { url = '', headers } = exchange.request;
  const record: RecordedRequest<Request> = {
    path: url,
    headers,
    body,
    receivedAt: Date.now(),
    aborted: false,
  };
  exchange.onClientLeaving(() => {
    record.aborted = true;
    record.abortedAt = Date.now();
  });
  return record;
}

function describe(issue: { path: PropertyKey[]; message: string } | undefined): string {
  return issue === undefined
    ? 'the body cannot be read'
    : `${issue.path.join('.') || 'body'}: ${issue.message}`;
}
