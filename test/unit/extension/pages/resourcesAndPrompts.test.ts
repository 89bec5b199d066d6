import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import {
  promptCallable,
  resourceCallable,
} from '../../../../src/extension/pages/resourcesAndPrompts.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';

/** A server with this answer, and the requests that it got. */
function answering(result: object) {
  const asked: unknown[] = [];
  const request = async (...all: unknown[]) => {
    asked.push(all);
    return result;
  };
  return { asked, server: { requests: { request } } as unknown as Server };
}

test('a prompt gets its arguments, and shows each message below its role', async () => {
  const content = { type: 'text', text: 'Hi' } as const;
  const { asked, server } = answering({ messages: [{ role: 'user', content }] });
  const prompt = promptCallable({
    name: 'greet',
    arguments: [{ name: 'who', description: 'A name', required: true }, { name: 'how' }],
  });
  deepEqual(
    [prompt.isCalledAtOnce, prompt.inputSchema],
    [
      false,
      {
        type: 'object',
        properties: {
          who: { type: 'string', description: 'A name' },
          how: { type: 'string', description: undefined },
        },
        required: ['who'],
      },
    ],
  );
  const options = { signal: AbortSignal.abort() };
  const answer = await prompt.call(server, { who: 'Ada' }, options);
  deepEqual(answer.content, [{ type: 'text', text: 'user' }, content]);
  deepEqual(asked, [['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }, options]]);
});

test('a tab reads its resource when it opens, and shows the contents', async () => {
  const contents = [{ uri: 'x:///a', text: 'A' }];
  const { asked, server } = answering({ contents });
  const resource = resourceCallable({ uri: 'x:///a' });
  const answer = await resource.call(server, {}, {});
  deepEqual([resource.name, resource.isCalledAtOnce], ['x:///a', true]);
  deepEqual(answer.content, [{ type: 'resource', resource: contents[0] }]);
  deepEqual(asked, [['resources/read', { uri: 'x:///a' }, {}]]);
});
