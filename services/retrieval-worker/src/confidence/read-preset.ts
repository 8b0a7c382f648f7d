import { readFileSync } from 'node:fs';
import { confidencePresetSchema, type ConfidencePreset } from '@quire/shared/contracts';
import { z } from 'zod';
import { confidencePresets } from './presets.js';

/** A preset by its name, or from a file as `quire calibrate` writes it; throws with a reason for the operator. */
export function readPreset(nameOrFile: string): ConfidencePreset {
  const known = Object.entries(confidencePresets).find(([name]) => name === nameOrFile)?.[1];
  if (known) return known;
  const names = Object.keys(confidencePresets).join(', ');
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(nameOrFile, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new Error(`must be one of ${names}, or a preset file: ${nameOrFile} ${reason}`, { cause });
  }
  const preset = confidencePresetSchema.safeParse(content);
  if (preset.success) return preset.data;
  throw new Error(`${nameOrFile} is not a preset: ${z.prettifyError(preset.error)}`);
}
