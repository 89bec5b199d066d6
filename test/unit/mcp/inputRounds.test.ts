import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { InputRounds } from '../../../src/mcp/inputRounds.ts';
import type { RootsAnswerer } from '../../../src/mcp/rootsAnswerer.ts';

const answerer = { answersInput: () => false } as unknown as RootsAnswerer;

test('a tool that asks very much at once is refused, and nobody is asked', async () => {
  const rounds = new InputRounds({ getProtocolEra: () => 'modern' }, answerer, () => true);
  const asking = (count: number) => {
    const questions = Array.from({ length: count }, (_, id) => [`q${id}`, { method: 'ask' }]);
    const inputRequests = Object.fromEntries(questions);
    return rounds.run({
      method: 'tools/call',
      params: { name: 'nosy' },
      send: async () => ({ resultType: 'input_required', inputRequests }),
    });
  };
  deepEqual((await asking(50)).kind, 'questions');
  await rejects(asking(51), {
    message: 'The tool "nosy" asked 51 questions at once: 50 is the most.',
  });
});
