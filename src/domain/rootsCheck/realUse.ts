import { type Sentence, sentence } from '../sentence.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';

/**
 * What is different when the server is used: a check offers its roots to every server, a definition
 * may not. Nothing where both do.
 */
export function realUseOf(label: string, rootsAs: readonly RootsRoute[]): Sentence[] {
  if (rootsAs.includes('roots')) {
    return [];
  }
  return [
    sentence(
      'This check offered roots. In real use {0} is not offered any: "rootsAs" in its definition leaves "roots" out.',
      label,
    ),
    sentence(insteadOf(rootsAs)),
  ];
}

function insteadOf(rootsAs: readonly RootsRoute[]): string {
  const isAsArguments = rootsAs.includes('args');
  if (isAsArguments && rootsAs.includes('env')) {
    return 'It gets its folders as arguments and in its environment instead.';
  }
  return isAsArguments
    ? 'It gets its folders as arguments instead.'
    : 'It gets its folders in its environment instead.';
}
