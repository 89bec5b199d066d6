import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { IdleWatch } from '../../../../src/mcp/life/idleWatch.ts';
import type { AskedRequest } from '../../../../src/mcp/link/forwarding.ts';
import type { LinkEvents } from '../../../../src/mcp/link/link.ts';
import type { ResponseBody, Traffic } from '../../../../src/mcp/process/wire.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

const limit = 1000;

/** A watched process, and what happens to it. */
function watched(time: () => number | undefined = () => limit) {
  const clock = new TurnedClock();
  const didBegin = new Emitter<LinkEvents>();
  let ends = 0;
  const watch = new IdleWatch({ after: clock.after, time }, () => void ends++);
  watch.follow({ onDidBegin: didBegin.event });
  const begin = () => {
    const didAsk = new Emitter<AskedRequest>();
    const didPass = new Emitter<Traffic>();
    const events = { onDidAsk: didAsk.event, onDidPass: didPass.event };
    didBegin.fire(events as LinkEvents);
    return {
      /** Asks something of the server. Resolves with the function that answers. */
      ask: (method: string, params = {}) => {
        let end: (body?: ResponseBody) => void = () => {};
        didAsk.fire({ method, params, ended: new Promise(resolve => (end = resolve)) });
        return async (body: ResponseBody = { result: {} }) => {
          end(body);
          await turnsOfTheLoop();
        };
      },
      says: (message: object) => fire(didPass, 'from-server', message),
      hears: (message: object) => fire(didPass, 'to-server', message),
    };
  };
  /** Whether the process is idle once the time has passed. */
  const isIdle = () => {
    const before = ends;
    clock.pass(limit);
    return ends > before;
  };
  return { clock, begin, isIdle, watch };
}

function fire(didPass: Emitter<Traffic>, direction: 'to-server' | 'from-server', message: object) {
  didPass.fire({ kind: 'message', direction, message: { jsonrpc: '2.0', ...message } } as Traffic);
}

describe('a process', () => {
  it('is idle when nobody has used it for the whole time', async () => {
    const { clock, begin, isIdle } = watched();
    const { ask } = begin();
    clock.pass(limit - 1);
    await ask('tools/call')();
    clock.pass(limit - 1);
    assert.equal(clock.waiting, 1);
    assert.equal(isIdle(), true);
    assert.equal(isIdle(), false);
  });

  it('is used while a request is open, and not by a handshake, list or ping', async () => {
    const { begin, isIdle } = watched();
    const { ask, says } = begin();
    const answer = ask('tools/call');
    assert.equal(isIdle(), false);
    await answer();
    ask('tools/list');
    ask('ping');
    says({ id: 1, method: 'ping' });
    assert.equal(isIdle(), true);
  });

  it('is used while a question of the server is open', () => {
    const { begin, isIdle } = watched();
    const { says, hears } = begin();
    for (const id of [1, 'one']) {
      says({ id, method: 'elicitation/create' });
      hears({ id: 2, result: {} });
      assert.equal(isIdle(), false);
    }
    hears({ id: 1, result: {} });
    assert.equal(isIdle(), false);
    says({ method: 'notifications/cancelled', params: { requestId: 'one' } });
    assert.equal(isIdle(), true);
  });

  it('is used while a client has subscribed to a resource', async () => {
    const { begin, isIdle } = watched();
    const { ask } = begin();
    await ask('resources/subscribe', { uri: 'a:1' })();
    await ask('resources/subscribe', { uri: 'a:2' })({ error: { code: 1, message: 'no' } });
    assert.equal(isIdle(), false);
    await ask('resources/unsubscribe', { uri: 'a:1' })();
    assert.equal(isIdle(), true);
    const listens = ask('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['a:1'] },
    });
    assert.equal(isIdle(), false);
    await listens();
    ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
    assert.equal(isIdle(), true);
  });

  it('is used by a message of its own', () => {
    const { clock, begin, isIdle } = watched();
    const { says } = begin();
    clock.pass(limit - 1);
    says({ method: 'notifications/message', params: {} });
    clock.pass(limit - 1);
    assert.equal(clock.waiting, 1);
    assert.equal(isIdle(), true);
  });

  it('begins anew after another start, and is never idle without a time', async () => {
    let time: number | undefined;
    const { begin, isIdle, watch } = watched(() => time);
    const first = begin();
    assert.equal(isIdle(), false);
    await first.ask('resources/subscribe', { uri: 'a:1' })();
    time = limit;
    begin();
    assert.equal(isIdle(), true);
    begin();
    watch.dispose();
    assert.equal(isIdle(), false);
  });
});
