import { type Sentence, sentence } from '../sentence.ts';
import type { AccessWord } from './accessTable.ts';

/** What may be said of a folder besides its word. */
export type AccessRemark = 'read-only' | 'part' | 'still-told' | 'replaced';

/** The word for how a folder stands with one that may see it: the same wherever it is read. */
export function accessWord(word: Exclude<AccessWord, 'none'>): Sentence {
  switch (word) {
    case 'exposed':
      return sentence('exposed');
    case 'allowed':
      return sentence('allowed');
    case 'waiting':
      return sentence('waiting');
    case 'not-asked':
      return sentence('not asked');
    case 'denied':
      return sentence('not allowed');
    case 'not-offered':
      return sentence('not offered');
    case 'forbidden':
      return sentence('never');
    case 'excluded':
      return sentence('left out');
    case 'duplicate':
      return sentence('listed twice');
    case 'missing':
      return sentence('missing');
    case 'not-a-directory':
      return sentence('a file');
    case 'unreadable':
      return sentence('unreadable');
    case 'not-file':
      return sentence('not on disk');
    case 'restricted':
      return sentence('restricted');
    case 'ruled':
      return sentence('by rule');
    case 'removed':
      return sentence('removed');
  }
}

/** The word for what may be said besides. */
export function remarkWord(remark: AccessRemark): Sentence {
  switch (remark) {
    case 'read-only':
      return sentence('read only');
    case 'part':
      return sentence('in part');
    case 'still-told':
      return sentence('still told');
    case 'replaced':
      return sentence('replaced');
  }
}
