import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { askUntil } from '../support/askUntil.ts';
import { exposedTools, exposing } from '../support/exposingHub.ts';
import { filesystemServer } from '../support/hubServers.ts';
import type { HubWire } from '../support/hubWire.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { until } from '../support/processes.ts';
import { eras } from '../support/wire.ts';

test('calls of what servers offer, exposed by the hub', async t => {
  const tools = ['fail', 'refuse', 'progress', 'hang', 'plain'].map(plainTool);
  const odd = oddHubServer(t, { tools });
  const { hub } = await exposing(t, 'modern', { odd });

  await t.test('fail with the error of their server, untouched', async () => {
    const issues = JSON.stringify([{ path: ['a'], message: 'Required' }], undefined, 2);
    const errors = [
      { code: -32055, message: 'first\nsecond \u202e\u0007', data: { uri: 'x', list: [null] } },
      { code: -32603, message: `Invalid arguments: ${issues}` },
      { code: -32602, message: issues, data: null },
      { code: -32602, message: 'x'.repeat(100_000), data: 'text' },
      { code: -32042, message: 'Open it.', data: { elicitations: [] } },
      { code: 7, message: '' },
    ];
    for (const error of errors) {
      deepEqual((await hub.call('odd__fail', error)).error, error);
      const args = { serverName: 'odd', toolName: 'fail', toolArgs: error };
      deepEqual((await hub.call('call-tool', args)).error, error);
    }
    // What is wrong with the request itself is still told in words.
    const { error } = await hub.request('tools/call', { name: 'read-file', arguments: [] });
    match(error?.message ?? '', /^Invalid request: [^\n]*\.$/);
  });

  await t.test('fail with the result of their server, untouched', async () => {
    const { content, isError, ...more } = (await hub.call('odd__refuse')).result;
    deepEqual(content, [{ type: 'text', text: 'no\n[\n]' }]);
    equal(isError, true);
    deepEqual(more['x/own'], [null]);
  });

  await t.test('tell how far they are, under the token of the client', async () => {
    for (const progressToken of ['mine', 0]) {
      hub.notices.length = 0;
      equal((await hub.call('odd__progress', {}, { _meta: { progressToken } })).error, undefined);
      const told = await hub.noticesOf('notifications/progress', 2);
      deepEqual(
        told.map(({ params: { _meta, ...params } }) => params),
        [1, 2].map(progress => {
          return { progress, total: 2, message: `step ${progress}`, progressToken };
        }),
      );
    }
  });

  await t.test(
    'tell how far they were last before they answer, however fast they tell',
    async () => {
      const _meta = { progressToken: 'mine' };
      const start = performance.now();
      await hub.call('odd__progress', { steps: 500 }, { _meta });
      const seconds = (performance.now() - start) / 1000;
      // In the order of the wire: no notice that follows the answer is there yet.
      const told = hub.notices.filter(({ method }) => method === 'notifications/progress');
      ok(told.length < 50 * (seconds + 2), `${told.length} in ${seconds} s`);
      equal(told.at(-1)?.params.progress, 500);
    },
  );

  await t.test('are called off, and only the call that was', async () => {
    await hub.call('odd__plain');
    const before = odd.recorded.count('tools/call');
    const hanging = hub.begin('tools/call', { name: 'odd__hang', ...(await rootsGiven(hub)) });
    await until('the call arrives', () => odd.recorded.count('tools/call') > before);
    hub.send({ method: 'notifications/cancelled', params: { requestId: hanging } });
    await until('it is told', () => odd.recorded.count('notifications/cancelled') === 1);
    const messages = odd.recorded.messages() as readonly WireMessage[];
    const called = messages.findLast(({ method }) => method === 'tools/call');
    const cancelled = messages.find(({ method }) => method === 'notifications/cancelled');
    equal(cancelled?.params.requestId, called?.id);
    equal((await hub.call('odd__plain')).error, undefined);
  });
});

describe('calls of what servers offer', { concurrency: 2 }, () => {
  for (const era of eras) {
    test(`answer in the form that a ${era} client knows, where the schema is of a later one`, async t => {
      const outputSchema = { type: 'array', items: { type: 'string' } };
      const tools = [{ ...plainTool('list'), outputSchema }, plainTool('untold')];
      const odd = oddHubServer(t, { tools });
      const { hub } = await exposing(t, era, { odd });
      const wrapped = {
        type: 'object',
        properties: { result: outputSchema },
        required: ['result'],
      };
      const isOld = era === 'legacy';
      const [listed] = await exposedTools(hub, ({ length }) => length > 0);
      deepEqual(listed?.['outputSchema'], isOld ? wrapped : outputSchema);
      const answers = async (tool: string) => (await hub.call(tool)).result.structuredContent;
      const expected = isOld ? { result: ['a'] } : ['a'];
      deepEqual(await answers('odd__list'), expected);
      deepEqual(await answers('odd__untold'), expected);
      const args = { serverName: 'odd', toolName: 'list' };
      deepEqual((await hub.call('call-tool', args)).result.structuredContent, expected);
    });
  }

  test('are held against the roots like those of call-tool', async t => {
    const files = filesystemServer(t);
    const { hub, folder } = await exposing(t, 'modern', { files });
    const read = (path: string) => hub.call('files__read_text_file', { path });
    // While it has not taken in its roots it refuses by itself.
    const inside = () => read(join(folder, 'a.txt'));
    const { result: taken } = await askUntil(inside, ({ result }) => result.isError !== true);
    equal(taken.content[0].text, 'a');
    const { result } = await read(join(`${folder}-beside`, 'hostname'));
    equal(result.isError, true);
    match(result.content[0].text, /^Access denied: Path '.*-beside.hostname'/);
    ok(!files.recorded.bytes().includes('hostname'));
  });
});

/** What a modern call has to hold so that the hub does not ask for the roots first. */
async function rootsGiven(hub: HubWire): Promise<object> {
  const asked = await hub.answerTo(hub.begin('tools/call', { name: 'get-roots', arguments: {} }));
  const { resultType, inputRequests, requestState } = asked.result;
  return resultType === 'input_required' ? hub.answersFor(inputRequests, requestState) : {};
}
