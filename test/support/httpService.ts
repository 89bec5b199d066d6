import type { TestContext } from 'node:test';
import { type After, afterReal } from '../../src/base/clock.ts';
import { Limiter } from '../../src/base/limiter.ts';
import type { Logger } from '../../src/base/logger.ts';
import { createServer, type ServerOptions } from '../../src/server/createServer.ts';
import { type NewServer, serveHttp } from '../../src/server/http/serveHttp.ts';
import { RootSources } from '../../src/server/roots/rootSources.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { thisPlatform } from './systems.ts';

export interface TestServiceOptions {
  readonly host?: string;
  readonly token?: string;
  readonly after?: After;
  readonly allowWrite?: boolean;
  /** Left out: the servers of the bundled server. */
  readonly servers?: (options: ServerOptions) => NewServer;
}

/** The bundled server over HTTP, in this process, on a free port. */
export async function startService(
  t: Pick<TestContext, 'after'>,
  {
    host = '127.0.0.1',
    token,
    after = afterReal,
    allowWrite = false,
    servers,
  }: TestServiceOptions = {},
) {
  /** All that was logged, a line each. */
  const logged: string[] = [];
  const options = { ...serverOptions(loggerInto(logged), after), allowWrite };
  const newServer = servers?.(options) ?? (era => createServer(era, options));
  const { logger } = options;
  const service = await serveHttp({ host, port: 0, token, logger, after }, newServer);
  if (!service.ok) {
    throw new Error(service.reason);
  }
  atEnd(t, service.close);
  return { url: service.url, logged, close: service.close };
}

/** The bundled server's options by default. */
function serverOptions(logger: Logger, after: After): ServerOptions {
  return {
    sources: new RootSources({ withoutRoots: 'deny' }, thisPlatform),
    limiter: new Limiter({ running: 32, waiting: 1000 }),
    logger,
    after,
    limit: patience,
    allowWrite: false,
    searches: new Limiter({ running: 2, waiting: 1000 }),
    hub: undefined,
  };
}

function loggerInto(lines: string[]): Logger {
  const write = (message: string | Error) => void lines.push(String(message));
  return { trace: write, debug: write, info: write, warn: write, error: write };
}
