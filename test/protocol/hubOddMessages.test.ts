import { deepEqual, doesNotMatch, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { anyLines } from '../support/anyServerMessages.ts';
import { effort, isSoak } from '../support/effort.ts';
import { placeholders } from '../support/filledIn.ts';
import { HubWire } from '../support/hubWire.ts';
import { answeringServer } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';
import { eras } from '../support/wire.ts';

/** A hub with a child that sends any given lines, and a function to give them. */
async function withSayer(t: TestContext, era: 'legacy' | 'modern', child: 'legacy' | 'modern') {
  const { command, args } = answeringServer(t, child).start;
  const config = { mcpServers: { sayer: { command, args, guard: { check: 'off' } } } };
  const offers = { elicitation: { form: {} }, sampling: {} };
  const client = await HubWire.start(t, { era, config, roots: [tempFolder(t)], offers });
  const say = (lines: readonly string[]) => {
    const toolArgs = { lines };
    return client.callInRounds('call-tool', { serverName: 'sayer', toolName: 'say', toolArgs });
  };
  return { client, say };
}

const notice = (name: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', method: `notifications/${name}`, params });
const noText = { toString: 0, valueOf: 0 };
const question = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

const lines: Readonly<Record<string, readonly string[]>> = {
  'a result that passes for a question': [
    JSON.stringify({
      jsonrpc: '2.0',
      id: placeholders.id,
      result: { resultType: 'input_required', inputRequests: { q: question }, content: [] },
    }),
  ],
  'progress with a token that is no text': [
    notice('progress', { progressToken: noText, progress: 1 }),
    notice('progress', { progressToken: [[noText]], progress: 1 }),
  ],
  'a question that is called off for a reason that is no text': [
    JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: question }),
    notice('cancelled', { requestId: 'q', reason: noText }),
  ],
};

test('the hub survives almost valid messages', async t => {
  const { client, say } = await withSayer(t, 'modern', 'legacy');
  for (const [what, said] of Object.entries(lines)) {
    for (const each of [said, []]) {
      deepEqual((await say(each)).result?.content, [], `${what}: ${client.hub.stderr}`);
    }
    equal(client.hub.process.exitCode, null, what);
  }
});

for (const era of eras) {
  for (const child of isSoak ? eras : [era]) {
    test(`the hub survives any message of a ${child} child (${era} client)`, async t => {
      const { client, say } = await withSayer(t, era, child);
      await fc.assert(
        fc.asyncProperty(anyLines, async said => {
          // The lines may decide how this call ends, but it ends.
          await say(said);
          deepEqual((await say([])).result?.content, [], client.hub.stderr);
        }),
        { numRuns: 10 * effort },
      );
      doesNotMatch(client.hub.stderr, /\n {4}at /);
    });
  }
}
