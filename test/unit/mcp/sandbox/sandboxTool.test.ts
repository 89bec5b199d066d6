import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { findSandboxTool } from '../../../../src/mcp/sandbox/sandboxTool.ts';

for (const [platform, name] of [
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
] as const) {
  test(`there is no sandbox on ${name}, whatever is installed`, async () => {
    const { tool, problem } = await findSandboxTool({ platform, arch: 'x64' });
    equal(tool, undefined);
    equal(problem && inEnglish(problem), `There is no sandbox on ${name} yet.`);
  });
}
