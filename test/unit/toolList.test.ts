import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolList } from '../../src/extension/servers/toolList.ts';

const read = { name: 'read', inputSchema: { type: 'object' as const } };

test('what a server said of its tools is kept until they may be others', async () => {
  const list = new ToolList();
  assert.equal(list.tools, undefined);
  assert.deepEqual(await list.keep(Promise.resolve([read])), [read]);
  assert.deepEqual(list.tools, [read]);
  list.forget();
  assert.equal(list.tools, undefined);
});

test('an answer that was out of date when it came is given and not kept', async () => {
  const list = new ToolList();
  const answer = list.keep(Promise.resolve([read]));
  list.forget();
  assert.deepEqual(await answer, [read]);
  assert.equal(list.tools, undefined);
});
