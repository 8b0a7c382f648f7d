import type { ProcessToEnd } from './end-process.js';

/** Services are ended before the stores they use. */
export type ProcessRole = 'service' | 'store';

export interface WatchedProcess extends ProcessToEnd {
  role: ProcessRole;
}

export interface DoomedPath {
  path: string;
  /** The file is removed only if it still holds this text: a later start may have replaced it. */
  holding?: string;
}

/** The messages of a guarded process to its reaper, one JSON object per line. */
export type ReaperMessage =
  | { type: 'watch'; process: WatchedProcess }
  | { type: 'forget'; pid: number }
  | { type: 'remove-at-end'; doomed: DoomedPath }
  | { type: 'keep'; path: string };
