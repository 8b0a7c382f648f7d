import type { SpentOnModel } from '@quire/shared/database';
import type { Registry } from '@quire/shared/metrics';
import { Counter, Histogram } from 'prom-client';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** Names and labels are a contract with dashboards. */
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
    this.runs = counter('quire_runs_total', 'Runs that ended, by outcome', ['outcome']);
    this.modelCalls = counter('quire_model_calls_total', 'Model calls, by outcome', ['model', 'outcome']);
    this.tokens = counter('quire_tokens_total', 'Tokens used by model calls', ['tenant', 'model', 'kind']);
    this.cost = counter('quire_model_cost_usd_total', 'Cost of model calls in US dollars', [
      'tenant',
      'model',
    ]);
    this.reconciliations = counter(
      'quire_runs_reconciled_total',
      'Runs repaired by the reconciler, by action',
      ['action'],
    );
    this.firstTextSeconds = new Histogram({
      name: 'quire_first_text_seconds',
      help: 'Time from the first model call of an answer to its first text in the run log',
      buckets: SECONDS,
      registers,
    });
  }

  /** @param outcome the mode of a completed answer, otherwise `failed` or `cancelled` */
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
