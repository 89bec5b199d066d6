import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { bubblewrapStart, type World } from '../../../../src/domain/sandbox/bubblewrap.ts';

const world: World = {
  shown: [
    { path: '/w', isWritable: true, place: '1:1' },
    { path: '/w/docs', isWritable: false, place: '1:2' },
  ],
  hidden: [
    { path: '/w/keys/k', isFolder: false },
    { path: '/w/secrets', isFolder: true },
  ],
  ...{ links: new Map(), empty: ['/tmp'], cwd: '/w', env: {}, hasNetwork: false },
};

for (const staysInRoot of [true, false]) {
  const order = staysInRoot ? 'in its root' : 'beside its root';
  test(`one bubblewrap makes all mounts ${order}, and no argument tells the secret name`, () => {
    const bubblewrap = { path: '/usr/bin/bwrap', version: '0.8.0', staysInRoot };
    const { args, options } = bubblewrapStart(bubblewrap, world, ['/bin/true'], 'a-secret');
    const has = (words: string) => [args.join(' ').includes(words), options.includes(words)];
    deepEqual(
      [has('bwrap'), has('a-secret')],
      [
        [false, false],
        [false, !staysInRoot],
      ],
    );
    equal(options.split('\0').includes('/../oldroot'), !staysInRoot);
  });
}
