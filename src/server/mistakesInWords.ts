import * as z from 'zod';
import { type KeyPath, shownPath } from '../domain/json.ts';
import { jsonLine } from '../domain/printable.ts';

/** Says in a sentence what is wrong with an argument. `undefined`: use the message of zod. */
export function mistakeInWords(issue: z.core.$ZodRawIssue): string | undefined {
  const at = (...keys: readonly string[]) => placeInWords([...(issue.path ?? []), ...keys]);
  const verb = issue.code !== 'invalid_type' && issue['origin'] === 'array' ? 'hold' : 'be';
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${at()} is missing.`
        : `${at()} must be ${typeWords[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return `${at()} must ${verb} at least ${issue.minimum}.`;
    case 'too_big':
      return `${at()} must ${verb} at most ${issue.maximum}.`;
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      const unknown = issue.keys.map(key => at(key)).join(', ');
      return `The argument ${unknown} is unknown. Known arguments: ${known.join(', ') || 'none'}.`;
    }
  }
  return undefined;
}

const typeWords: Partial<Readonly<Record<string, string>>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function placeInWords(path: readonly PropertyKey[]): string {
  return jsonLine(shownPath(path as KeyPath).slice(0, 100));
}
