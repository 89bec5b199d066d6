import { type Sentence, sentence } from '../sentence.ts';
import type { AccessCell, AccessTable } from './accessTable.ts';
import { type AccessRemark, accessWord, remarkWord } from './accessWords.ts';

/** A word of the table, and what it means. */
export interface LegendEntry {
  readonly word: Sentence;
  readonly meaning: Sentence;
}

/** Every word in the table once, in the order in which they are best read. */
export function legendOf({ rows }: AccessTable): readonly LegendEntry[] {
  const cells = rows.flatMap(row => row.cells);
  const used = new Set<string>(cells.flatMap(cell => [cell.word, ...remarksOn(cell)]));
  return [
    ...words
      .filter(word => used.has(word))
      .map(word => ({ word: accessWord(word), meaning: meaningOf(word) })),
    ...remarks
      .filter(remark => used.has(remark))
      .map(remark => ({ word: remarkWord(remark), meaning: remarkMeaning(remark) })),
    ...(rows.some(({ isConfined }) => isConfined) ? [confined()] : []),
  ];
}

/** What a cell says, as a sentence on a folder and one that may see it. */
export function cellSentence(
  { word, isReadOnly }: AccessCell,
  folder: string,
  seer: string,
): Sentence {
  switch (word) {
    case 'exposed':
      return isReadOnly
        ? sentence('{0} is exposed to {1}, read only', folder, seer)
        : sentence('{0} is exposed to {1}', folder, seer);
    case 'allowed':
      return isReadOnly
        ? sentence('{0} is allowed to {1}, read only, and not exposed yet', folder, seer)
        : sentence('{0} is allowed to {1}, and not exposed yet', folder, seer);
    case 'waiting':
      return sentence('{0} is waiting for your answer whether {1} may see it', folder, seer);
    case 'not-asked':
      return sentence('You were not asked yet whether {1} may see {0}', folder, seer);
    case 'denied':
      return sentence('{0} is not allowed to {1}', folder, seer);
    case 'not-offered':
      return sentence('{0} is not offered to {1}', folder, seer);
    case 'forbidden':
      return sentence('{0} is never exposed, so not to {1}', folder, seer);
    case 'excluded':
      return sentence('{0} is left out, so {1} does not see it', folder, seer);
    case 'duplicate':
      return sentence('{0} is listed twice, and counts elsewhere for {1}', folder, seer);
    case 'missing':
      return sentence('{0} is missing, so {1} does not see it', folder, seer);
    case 'not-a-directory':
      return sentence('{0} is a file, so {1} does not see it', folder, seer);
    case 'unreadable':
      return sentence('{0} is unreadable, so {1} does not see it', folder, seer);
    case 'not-file':
      return sentence('{0} is not on disk, so {1} does not see it', folder, seer);
    case 'restricted':
      return sentence('{0} is in Restricted Mode, so {1} does not see it', folder, seer);
    case 'ruled':
      return sentence('A rule of the editor forbids {1}, so it does not see {0}', folder, seer);
    case 'removed':
      return sentence('{0} was removed, and {1} was told of it', folder, seer);
    case 'none':
      return sentence('{1} was not told of {0}', folder, seer);
  }
}

/** In the order in which they are best read. */
const words = [
  'exposed',
  'allowed',
  'waiting',
  'not-asked',
  'denied',
  'not-offered',
  'forbidden',
  'excluded',
  'duplicate',
  'missing',
  'not-a-directory',
  'unreadable',
  'not-file',
  'restricted',
  'ruled',
  'removed',
] as const;

const remarks = ['read-only', 'part', 'still-told', 'replaced'] as const;

function meaningOf(word: (typeof words)[number]): Sentence {
  switch (word) {
    case 'exposed':
      return sentence('It was told of the folder, or its sandbox shows it.');
    case 'allowed':
      return sentence('You allow it to see the folder. It has not been told of it.');
    case 'waiting':
      return sentence(
        'It runs and waits for your answer. Until then it is not told of the folder.',
      );
    case 'not-asked':
      return sentence('You were not asked yet. Until then it is not told of the folder.');
    case 'denied':
      return sentence('You do not allow it to see the folder.');
    case 'not-offered':
      return sentence('Its definition names other folders, so you are not asked about this one.');
    case 'forbidden':
      return sentence('The setting mcpRoots.neverExpose keeps the folder from every server.');
    case 'excluded':
      return sentence('The setting mcpRoots.excludeFolders leaves the folder out.');
    case 'duplicate':
      return sentence('It is the same folder as another one, and counts there.');
    case 'missing':
      return sentence('There is nothing on disk where the folder should be.');
    case 'not-a-directory':
      return sentence('It is a file and no folder, so nobody is told of it.');
    case 'unreadable':
      return sentence("The folder can't be read, so nobody is told of it.");
    case 'not-file':
      return sentence('Only folders on disk can be exposed.');
    case 'restricted':
      return sentence('In Restricted Mode nothing is exposed.');
    case 'ruled':
      return sentence('A rule of the editor, such as chat.mcp.access, forbids the server.');
    case 'removed':
      return sentence('It was told of a folder that is none of this window any more.');
  }
}

function remarkMeaning(remark: AccessRemark): Sentence {
  switch (remark) {
    case 'read-only':
      return sentence('The system lets it read the folder, and not change it.');
    case 'part':
      return sentence('It was told of something in the folder, and not of the whole folder.');
    case 'still-told':
      return sentence('It was told of the folder before that was taken back.');
    case 'replaced':
      return sentence('Another folder took the place of the one that you answered on.');
  }
}

function confined(): LegendEntry {
  return {
    word: sentence('confined'),
    meaning: sentence(
      'The system keeps it in its folders. Of what is not confined this says what it was told, not what it could read.',
    ),
  };
}

/** What is said of a pair besides its word. */
export function remarksOn({
  isReadOnly,
  isPart,
  isStillKnown,
  isReplaced,
}: AccessCell): readonly AccessRemark[] {
  return [
    ...(isReadOnly ? ['read-only' as const] : []),
    ...(isPart ? ['part' as const] : []),
    ...(isStillKnown ? ['still-told' as const] : []),
    ...(isReplaced ? ['replaced' as const] : []),
  ];
}
