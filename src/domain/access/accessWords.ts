import { type Sentence, sentence } from '../sentence.ts';

const words = {
  exposed: 'exposed',
  allowed: 'allowed',
  waiting: 'waiting',
  'not-asked': 'not asked',
  denied: 'not allowed',
  'not-offered': 'not offered',
  forbidden: 'never',
  excluded: 'left out',
  duplicate: 'listed twice',
  missing: 'missing',
  'not-a-directory': 'a file',
  unreadable: 'unreadable',
  'not-file': 'not on disk',
  restricted: 'restricted',
  ruled: 'by rule',
  // It was told of a folder that left the window.
  removed: 'removed',
  // It was never offered the folder.
  none: '–',
} as const;

/** How a folder stands with one that may see it. */
export type AccessWord = keyof typeof words;

/** Remarks on a folder after its word, in this order. */
interface AccessRemarks {
  readonly isReadOnly?: boolean;
  /** It was told of something in the folder only. */
  readonly isPart?: boolean;
  readonly isStillKnown?: boolean;
  readonly isReplaced?: boolean;
}

/** The words for that: the same wherever they are read. */
export function accessWords(
  word: AccessWord,
  { isReadOnly, isPart, isStillKnown, isReplaced }: AccessRemarks = {},
): readonly Sentence[] {
  return [
    words[word],
    ...(isReadOnly ? ['read only'] : []),
    ...(isPart ? ['in part'] : []),
    ...(isStillKnown ? ['still told'] : []),
    ...(isReplaced ? ['replaced'] : []),
  ].map(text => sentence(text));
}
