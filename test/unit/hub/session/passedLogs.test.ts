import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { LogLevel } from '../../../../src/domain/logLevels.ts';
import type { HubHost } from '../../../../src/hub/hubHost.ts';
import { PassedLogs } from '../../../../src/hub/session/relayToClient.ts';
import type { UpstreamLog } from '../../../../src/hub/upstreams/upstreams.ts';

/** The logs of a session, the levels that its servers were asked for, and what its client was told. */
function passedLogs(era: 'legacy' | 'modern', calls: readonly ServerContext[] = []) {
  const logs = new Emitter<UpstreamLog>();
  const levels: (LogLevel | undefined)[] = [];
  const told: unknown[] = [];
  const client = {
    onDidLog: logs.event,
    setLogLevel: (level: LogLevel | undefined) => void levels.push(level),
  };
  const host = {
    era,
    logLevel: ({ sessionId }: ServerContext) => sessionId,
    notify: (_method: string, params: unknown) => told.push(params),
  } as unknown as HubHost;
  const passed = new PassedLogs(host, client, { callsInFlight: calls });
  const log = (level: LogLevel, text = '', more: Partial<UpstreamLog['entry']> = {}) => {
    const upstream = { server: { name: 'git' } };
    logs.fire({ upstream, entry: { level, text, ...more } } as UpstreamLog);
    return told.splice(0);
  };
  return { passed, log, levels, told };
}

/** A call of a modern client, which wants messages from this level on. */
function call(wanted: LogLevel | undefined, told: unknown[]): ServerContext {
  const notify = async ({ params }: { readonly params: unknown }) => void told.push(params);
  return { sessionId: wanted, mcpReq: { notify } } as unknown as ServerContext;
}

test('a modern client gets within each call what that wants', () => {
  const [one, two, none]: [unknown[], unknown[], unknown[]] = [[], [], []];
  const calls = [call('info', one), call('debug', two), call(undefined, none)];
  const { passed, log, levels } = passedLogs('modern', calls);
  for (const context of calls) {
    passed.heed(context);
  }
  log('debug');
  log('notice');
  deepEqual([one.length, two.length, none.length], [1, 2, 0]);
  deepEqual(levels, ['info', 'debug']);
});

test('what a server says in JSON is passed on as JSON, unless it was cut', () => {
  const { log } = passedLogs('legacy');
  const texts = ['{"disk":{"free":1}}', 'null', '{"disk":{"fr…'];
  const data = texts.flatMap(text => log('info', text, { isJson: true }));
  deepEqual(data, [
    { level: 'info', logger: 'git', data: { disk: { free: 1 } } },
    { level: 'info', logger: 'git', data: null },
    { level: 'info', logger: 'git', data: '{"disk":{"fr…' },
  ]);
});

test('a message says which server it is from', () => {
  const { log } = passedLogs('legacy');
  const level = 'notice';
  deepEqual(
    [log(level, 'a\nb'), log(level, '', { logger: 'fetch' })],
    [[{ level, logger: 'git', data: 'a\nb' }], [{ level, logger: 'git/fetch', data: '' }]],
  );
});
