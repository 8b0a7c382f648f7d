import type { SpentOnModel } from '@quire/shared/database';
import type { Registry } from '@quire/shared/metrics';
import { Counter, Histogram } from 'prom-client';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** What this process tells about its work; names and labels are a contract with the dashboards. */
export class AgentMetrics {
  private readonly runs;
  private readonly modelCalls;
  private readonly tokens;
  private readonly cost;
  private readonly reconciliations;
  private readonly firstTextSeconds;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers });
    this.runs = counter('quire_runs_total', 'Runs by how they ended', ['outcome']);
    this.modelCalls = counter('quire_model_calls_total', 'Models asked, by what came of it', [
      'model',
      'outcome',
    ]);
    this.tokens = counter('quire_tokens_total', 'Tokens spent', ['tenant', 'model', 'kind']);
    this.cost = counter('quire_model_cost_usd_total', 'US dollars spent', ['tenant', 'model']);
    this.reconciliations = counter(
      'quire_runs_reconciled_total',
      'Runs that had to be looked after, by why',
      ['action'],
    );
    this.firstTextSeconds = new Histogram({
      name: 'quire_first_text_seconds',
      help: 'From the first model call to the first text that is shown',
      buckets: SECONDS,
      registers,
    });
  }

  /** `outcome` is the mode of an answer, or how else the run ended. */
  runEnded(outcome: string): void {
    this.runs.inc({ outcome });
  }

  reconciled(action: string): void {
    this.reconciliations.inc({ action });
  }

  modelCalled(model: string, outcome: string): void {
    this.modelCalls.inc({ model, outcome });
  }

  firstText(ms: number): void {
    this.firstTextSeconds.observe(ms / 1000);
  }

  spent(tenant: string, spent: readonly SpentOnModel[]): void {
    for (const { model, tokens, costUsd } of spent) {
      this.tokens.inc({ tenant, model, kind: 'prompt' }, tokens.prompt);
      this.tokens.inc({ tenant, model, kind: 'completion' }, tokens.completion);
      if (costUsd !== undefined) this.cost.inc({ tenant, model }, costUsd);
    }
  }
}
