import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { findSandboxTool } from '../../../../src/mcp/sandbox/sandboxTool.ts';
import { testOwner } from '../../../support/testOwner.ts';

for (const [platform, name] of [
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
] as const) {
  test(`has no sandbox on ${name}, whatever is installed`, async t => {
    const { tool, problem } = await findSandboxTool(testOwner(t), { platform, arch: 'x64' });
    equal(tool, undefined);
    deepEqual(problem?.values, [name]);
  });
}
