import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkSignals } from './linked-signal.js';

it('a linked signal fires with the first of its sources, for the same reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals([first.signal, second.signal]);
  expect(signal.aborted).toBe(false);
  const reason = new Error('enough');
  second.abort(reason);
  first.abort(new Error('too late'));
  expect(signal.reason).toBe(reason);
});

it('a signal linked to one that has fired has fired', () => {
  const reason = new Error('before');
  expect(linkSignals([new AbortController().signal, AbortSignal.abort(reason)]).signal.reason).toBe(reason);
});

it('a released signal has no listeners on its sources, and does not fire', () => {
  const source = new AbortController();
  const linked = Array.from({ length: 50 }, () => linkSignals([source.signal, new AbortController().signal]));
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(50);
  for (const { release } of linked) release();
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
  source.abort();
  expect(linked.some(({ signal }) => signal.aborted)).toBe(false);
});
