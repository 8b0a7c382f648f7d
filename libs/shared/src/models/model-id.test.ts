import { describe, expect, it } from 'vitest';
import { modelId } from './model-id.js';

const address = { baseUrl: 'https://models.example/v1/', apiKey: 'secret-key', model: 'gemini-3.8-flash' };

describe('model id', () => {
  it('the id of a model is the start of a hash of endpoint and key, then the name', () => {
    expect(modelId(address)).toBe('ca1629d7207f:gemini-3.8-flash');
  });

  it.each([{ baseUrl: 'https://other.example/v1/' }, { apiKey: 'corrected' }, { model: 'another' }])(
    'differs with %j',
    (change) => {
      expect(modelId({ ...address, ...change })).not.toBe(modelId(address));
    },
  );
});
