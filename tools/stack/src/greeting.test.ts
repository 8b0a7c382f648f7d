import { expect, it } from 'vitest';
import { greeting } from './greeting.js';

const stack = { url: 'http://127.0.0.1:8787', needsKey: false, hasModel: false };

it('the greeting prints one command for the answer as JSON, one for the stream and one to chat', () => {
  const text = greeting(stack);
  const body = `-H 'content-type: application/json' -d '{"message":"How do ROS 2 nodes communicate?"}'`;
  expect(text).toContain(`curl -s http://127.0.0.1:8787/chat ${body}\n`);
  expect(text).toContain(`curl -N http://127.0.0.1:8787/chat/stream ${body}\n`);
  expect(text).toContain('  npx quire chat\n');
  expect(text).not.toContain('QUIRE_API_KEY');
});

it('the greeting says what to expect with and without a model', () => {
  expect(greeting(stack)).toContain('answers are `retrieval_only`');
  expect(greeting({ ...stack, hasModel: true })).toContain('Gemini is configured');
});

it('the greeting says how to get the key that callers need, and sends it in its command', () => {
  const text = greeting({ ...stack, needsKey: true });
  expect(text).toContain('\n  npx quire keys create --tenant me --name first\n');
  expect(text.match(/curl .*-H "authorization: Bearer \$QUIRE_API_KEY" /g)).toHaveLength(2);
});
