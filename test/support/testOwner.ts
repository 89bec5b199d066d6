import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ProcessOwner } from '../../src/mcp/process/stdio/processOwner.ts';
import { atEnd } from './processes.ts';

/** An owner of the processes that a test starts. The test fails if it has something to complain of. */
export function testOwner(t: TestContext): ProcessOwner {
  const owner = new ProcessOwner('editor', { warn: message => assert.fail(String(message)) });
  atEnd(t, () => owner.dispose());
  return owner;
}
