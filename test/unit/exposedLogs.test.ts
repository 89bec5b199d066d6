import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childLogLevel, isWanted, upstreamLog } from '../../src/server/hub/expose/childLogs.ts';

test('a server is asked for the least that any of its clients wants', () => {
  assert.equal(childLogLevel(['error', 'debug', undefined, 'info']), 'debug');
  assert.equal(childLogLevel(['alert', 'warning']), 'warning');
  assert.equal(childLogLevel(['emergency', undefined]), 'emergency');
  assert.equal(childLogLevel([undefined]), 'info');
});

test('a client gets what matters at least as much as it wants', () => {
  assert.equal(isWanted('debug', 'info'), false);
  assert.equal(isWanted('info', 'info'), true);
  assert.equal(isWanted('emergency', 'info'), true);
  assert.equal(isWanted('emergency', undefined), false);
});

test('what a server says in JSON is passed on as JSON, unless it was cut', () => {
  const data = (text: string) => upstreamLog('git', { level: 'info', text, isJson: true }).data;
  assert.deepEqual(['{"disk":{"free":1}}', 'null', '{"disk":{"fr…'].map(data), [
    { disk: { free: 1 } },
    null,
    '{"disk":{"fr…',
  ]);
});

test('a message says which server it is from', () => {
  const level = 'notice';
  assert.deepEqual(
    [
      upstreamLog('git', { level, text: 'a\nb' }),
      upstreamLog('git', { level, logger: 'fetch', text: '', leftOut: 2 }),
    ],
    [
      { level, logger: 'git', data: 'a\nb' },
      { level, logger: 'git/fetch', data: '' },
    ],
  );
});
