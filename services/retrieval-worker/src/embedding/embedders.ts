import type { IndexMaker } from '@quire/shared/qdrant';
import type { Embedder } from './embedder.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { LOCAL_DIMENSIONS } from './local-embedder.js';
import { openEmbedder, type EmbedderOptions } from './open-embedder.js';

interface Access {
  apiKey: string;
  baseUrl?: string | undefined;
}

export interface EmbedderAccess {
  /** The embedder of new indexes. */
  configured: EmbedderOptions;
  /** Further keys, with which older indexes stay searchable. */
  cohere?: Access | undefined;
  openai?: (Access & { baseUrl: string }) | undefined;
}

/** All embedders that this process can use; each is opened when it is first needed. */
export class Embedders {
  readonly configured: Embedder;
  private readonly opened = new Map<string, Embedder>();

  constructor(
    private readonly access: EmbedderAccess,
    private readonly observe?: ObserveEmbeddingCall,
  ) {
    this.configured = openEmbedder(access.configured, observe);
    this.opened.set(keyOf(makerOf(this.configured)), this.configured);
  }

  /** The embedder that made an index; undefined without its key. */
  find(maker: IndexMaker): Embedder | undefined {
    const known = this.opened.get(keyOf(maker));
    if (known) return known;
    const options = this.optionsFor(maker);
    if (!options) return undefined;
    const embedder = openEmbedder(options, this.observe);
    this.opened.set(keyOf(maker), embedder);
    return embedder;
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map((embedder) => embedder.close()));
  }

  private optionsFor({ embedder, dimensions }: IndexMaker): EmbedderOptions | undefined {
    const [kind, ...rest] = embedder.split(':');
    const model = rest.join(':');
    const { cohere, openai } = this.access;
    if (kind === 'local') return dimensions === LOCAL_DIMENSIONS ? { kind } : undefined;
    if (kind === 'cohere' && cohere) return { kind, model, dimensions, ...cohere };
    if (kind === 'openai' && openai) return { kind, model, dimensions, ...openai };
    return undefined;
  }
}

export const makerOf = ({ id, dimensions }: Embedder): IndexMaker => ({ embedder: id, dimensions });

const keyOf = ({ embedder, dimensions }: IndexMaker): string => `${embedder} ${dimensions}`;
