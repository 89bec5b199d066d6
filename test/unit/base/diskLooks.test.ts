import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { DiskLooks } from '../../../src/base/diskLooks.ts';

test('looks at a path once at a time', async () => {
  const begun: string[] = [];
  const answers: ((found: string) => void)[] = [];
  const looks = new DiskLooks<string>(path => {
    begun.push(path);
    return new Promise(resolve => answers.push(resolve));
  });
  const first = looks.at('/a');
  equal(looks.at('/a'), first);
  void looks.at('/b');
  deepEqual(begun, ['/a', '/b']);
  answers[0]?.('there');
  equal(await first, 'there');
  notEqual(looks.at('/a'), first);
});
