import { InvalidConfiguration } from '../config/index.js';
import { createLogger, type Logger } from '../logging/index.js';
import { timeBudgets } from '../time/index.js';

export interface Service {
  start(): Promise<void>;
  /** Stops intake, finishes or hands back work, disconnects; may be called twice. */
  stop(): Promise<void>;
}

/** Runs a service until a signal (exit code 0) or a defect (1) ends it. */
export async function runService(
  name: string,
  compose: () => { service: Service; logger: Logger },
): Promise<void> {
  let composed: { service: Service; logger: Logger };
  try {
    composed = compose();
  } catch (error) {
    refuseToStart(name, error);
  }
  const { service, logger } = composed;

  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): Promise<void> => {
    stopping ??= (async () => {
      const limit = setTimeout(() => {
        logger.error('Service did not stop in time: exiting');
        process.exit(1);
      }, timeBudgets.stop.processMs);
      await service.stop().catch((error: unknown) => logger.error({ error }, 'Stopping failed'));
      clearTimeout(limit);
      logger.info('Stopped');
      process.exit(exitCode);
    })();
    return stopping;
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'Stopping');
      void stop(0);
    });
  }
  const onDefect = (error: unknown) => {
    logger.fatal({ error }, 'Unexpected error');
    void stop(1);
  };
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);

  try {
    await service.start();
    logger.info('Started');
  } catch (error) {
    logger.fatal({ error }, 'Service could not start');
    await stop(1);
  }
}

/** An invalid configuration is logged and printed as a list for the operator, without a stack trace. */
function refuseToStart(name: string, error: unknown): never {
  const logger = createLogger(name, 'info');
  if (error instanceof InvalidConfiguration) {
    logger.fatal({ problems: error.problems }, error.message);
    process.stderr.write(`${name}: ${error.message}\n`);
  } else {
    logger.fatal({ error }, 'Service could not be composed');
  }
  process.exit(1);
}
