import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { InputRounds } from '../../../../src/mcp/link/inputRounds.ts';
import type { RootsAnswerer } from '../../../../src/mcp/link/rootsAnswerer.ts';
import { said } from '../../../support/texts.ts';

const answerer = { answersInput: () => false } as unknown as RootsAnswerer;

test('refuses a tool that asks more than 50 questions at once', async () => {
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
  await rejects(asking(51), ({ message }) => said(message) === 'inputRounds.tooMany(nosy, 51, 50)');
});
