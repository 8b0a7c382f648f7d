/** A process of the stack as the supervisor sees it: it does not know what it is for. */
export interface ServiceSpec {
  /** Unique among the processes of a stack, e.g. `agent-worker-2`. */
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}
