import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DiskLooks } from '../../../src/base/diskLooks.ts';

test('a disk that does not answer is looked at once, and others name two such paths at a time', async () => {
  const begun: string[] = [];
  const answers = new Map<string, (path: string) => void>();
  const looks = new DiskLooks<string>(path => {
    begun.push(path);
    return new Promise(resolve => answers.set(path, resolve));
  });
  equal(looks.at('/own'), looks.at('/own'));
  const named = ['/own', '/a', '/b', '/c', '/a'].map(path => looks.atNamed(path));
  await turn();
  deepEqual(begun, ['/own', '/a', '/b']);
  void looks.at('/mine');
  deepEqual(begun, ['/own', '/a', '/b', '/mine']);
  answers.get('/a')?.('there');
  equal(await named[1], 'there');
  await turn();
  deepEqual(begun, ['/own', '/a', '/b', '/mine', '/c']);
  void looks.at('/a');
  equal(begun.at(-1), '/a');
});
