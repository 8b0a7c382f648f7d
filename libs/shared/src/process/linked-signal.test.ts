import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkSignals } from './linked-signal.js';

describe('a linked signal', () => {
  it('fires with the first of its sources, for the same reason', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals([first.signal, second.signal]);
    expect(signal.aborted).toBe(false);
    const reason = new Error('enough');
    second.abort(reason);
    first.abort(new Error('too late'));
    expect(signal.reason).toBe(reason);
  });

  it('has fired already if one of its sources has', () => {
    const reason = new Error('before');
    expect(linkSignals([new AbortController().signal, AbortSignal.abort(reason)]).signal.reason).toBe(reason);
  });

  it('leaves nothing at its sources once it is released, and does not fire any more', () => {
    const source = new AbortController();
    const linked = Array.from({ length: 50 }, () =>
      linkSignals([source.signal, new AbortController().signal]),
    );
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(50);
    for (const { release } of linked) release();
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
    source.abort();
    expect(linked.some(({ signal }) => signal.aborted)).toBe(false);
  });
});
