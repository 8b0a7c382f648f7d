import type { World } from '../world/world.js';

/** A blow and its repair. `clear` resolves when whatever was struck is whole again. */
export interface Fault {
  inject(world: World, victim: number): Promise<void>;
  clear(world: World, victim: number): Promise<void>;
}
