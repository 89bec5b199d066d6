import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { plainSchema } from '../../../../src/server/tools/toolSet.ts';

const schema = z.object({ path: z.string(), limit: z.int().min(1).max(9).default(5) });
const plain = plainSchema(schema)['~standard'];

test('a plain schema is written as JSON without its dialect, and is the same otherwise', () => {
  for (const io of ['input', 'output'] as const) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    assert.match($schema ?? '', /2020-12/);
    assert.deepEqual(plain.jsonSchema[io]({ target: 'draft-2020-12' }), rest);
  }
});

test('a plain schema takes and refuses what the schema does', async () => {
  assert.deepEqual(await plain.validate({ path: 'a' }), { value: { path: 'a', limit: 5 } });
  const { issues } = await plain.validate({ path: 'a', limit: 10 });
  assert.equal(issues?.length, 1);
});
