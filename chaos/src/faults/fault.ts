import type { World } from '../world/world.js';

/** `clear` undoes `inject`, and resolves when the target works again. */
export interface Fault {
  inject(world: World, victim: number): Promise<void>;
  clear(world: World, victim: number): Promise<void>;
}
