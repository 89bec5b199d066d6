import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessText } from '../../../../src/domain/access/accessText.ts';
import { statusWords } from '../../../../src/domain/consent/statusWords.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

it('the text of who sees what has a line for each row, and a tab between its cells', () => {
  const text = accessText(
    {
      folders: [
        { id: 'a', name: 'api', place: '~/proj/api' },
        { id: 'b', name: 'web', place: '~/proj/web' },
      ],
      rows: [
        {
          id: '1',
          kind: 'server',
          name: 'Files',
          about: ['running', 'confined'],
          cells: [
            { word: 'exposed', words: statusWords({ word: 'exposed', isReadOnly: true }) },
            { word: 'not-asked', words: statusWords({ word: 'not-asked' }) },
          ],
        },
      ],
    },
    inEnglish,
  );
  assert.equal(
    text,
    'Server\tState\tapi (~/proj/api)\tweb (~/proj/web)\n' +
      'Files\trunning, confined\texposed, read only\tnot asked\n',
  );
});
