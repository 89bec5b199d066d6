import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type KeyPath, shownPath } from '../servers/keyPath.ts';
import { serverLists } from './hubConfig.ts';

/** What a key costs that an object of the configuration has twice. */
export interface Twice {
  readonly text: Sentence;
  /** The server that is not to be used: which of two rules was meant cannot be told. */
  readonly server: string | undefined;
}

/** The mistake of a key that is there twice, of which JSON lets the last one count. */
export function keyTwice(path: KeyPath): Twice {
  const [list = '', server, ...rest] = path;
  if (typeof server !== 'string' || !serverLists.some(known => known === list)) {
    const place = printable(shownPath(path));
    return {
      text: sentence('The configuration: "{0}" is there twice. The last one counts.', place),
      server: undefined,
    };
  }
  const name = printable(server);
  const place = printable(shownPath(rest));
  return {
    text:
      rest.length === 0
        ? sentence('Server "{0}": it is there twice. Leave out one of them.', name)
        : sentence('Server "{0}": "{1}" is there twice. Leave out one of them.', name, place),
    server,
  };
}
