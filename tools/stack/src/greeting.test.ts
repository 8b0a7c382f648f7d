import { describe, expect, it } from 'vitest';
import { greeting } from './greeting.js';

describe('the greeting', () => {
  it('prints one command for the answer as JSON, one for the stream and one to chat', () => {
    const text = greeting('http://127.0.0.1:8787', {});
    const body = `-H 'content-type: application/json' -d '{"message":"How do ROS 2 nodes communicate?"}'`;
    expect(text).toContain(`curl -s http://127.0.0.1:8787/chat ${body}\n`);
    expect(text).toContain(`curl -N http://127.0.0.1:8787/chat/stream ${body}\n`);
    expect(text).toContain('  npx quire chat\n');
  });

  it('says what to expect with and without a key, and never shows the key', () => {
    expect(greeting('http://x', {})).toContain('answers are `retrieval_only`');
    const text = greeting('http://x', { GEMINI_API_KEY: 'my-key' });
    expect(text).toContain('Gemini is configured');
    expect(text).not.toContain('my-key');
  });
});
