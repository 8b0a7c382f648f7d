import type { SupervisedService } from '../world/supervised-service.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';

type Group = (world: World) => readonly SupervisedService[];

const gateways: Group = ({ services }) => services.gateways;
const agents: Group = ({ services }) => services.agents;
const retrievers: Group = ({ services }) => services.retrievers;
const everyone: Group = ({ services }) => [...services.gateways, ...services.agents, ...services.retrievers];

export const serviceFaults = {
  'agent-kill': kill(agents),
  'agent-freeze': freeze(agents),
  'retrieval-kill': kill(retrievers),
  'retrieval-freeze': freeze(retrievers),
  'gateway-kill': kill(gateways),
  'gateway-freeze': freeze(gateways),
  'drain-one': {
    inject: (world, victim) => one(everyone, world, victim).restart(),
    clear: async () => {},
  },
  'drain-all': {
    async inject(world) {
      for (const service of everyone(world)) await service.restart();
    },
    clear: async () => {},
  },
} satisfies Record<string, Fault>;

/** Kills a service; its supervisor restarts it. */
function kill(group: Group): Fault {
  return {
    inject: (world, victim) => one(group, world, victim).kill(),
    clear: (world, victim) => one(group, world, victim).ready(),
  };
}

/** Stops a process long enough for others to take over its work, then lets it continue. */
function freeze(group: Group): Fault {
  return {
    inject: async (world, victim) => one(group, world, victim).freeze(),
    clear: async (world, victim) => one(group, world, victim).thaw(),
  };
}

function one(group: Group, world: World, victim: number): SupervisedService {
  const services = group(world);
  const chosen = services[victim % services.length];
  if (!chosen) throw new Error('There is no such service');
  return chosen;
}
