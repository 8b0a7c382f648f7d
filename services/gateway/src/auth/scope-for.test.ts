import { expect, it } from 'vitest';
import { scopeFor } from './scope-for.js';

it.each([
  ['/chat', 'chat'],
  ['/chat/admin/stream', 'chat'],
  ['/threads', 'chat'],
  ['/nowhere', 'chat'],
  ['/', 'chat'],
  ['/documents', 'admin'],
  ['/Documents/', 'admin'],
  ['/ingestions/1', 'admin'],
  ['/ADMIN/queues', 'admin'],
  ['//admin/queues', 'admin'],
  ['/metrics', 'admin'],
])('%s needs the scope %s', (path, scope) => expect(scopeFor(path)).toBe(scope));
