import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { plainSchema } from '../../../../src/server/tools/toolSet.ts';

const schema = z.object({ path: z.string(), limit: z.int().min(1).max(9).default(5) });

test('a plain schema is written as JSON without its dialect, and is the same otherwise', () => {
  for (const io of ['input', 'output'] as const) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    assert.match($schema ?? '', /2020-12/);
    assert.deepEqual(plainSchema(schema, io), rest);
  }
});
