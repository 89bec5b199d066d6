import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, RawSession } from '../support/bundledServer.ts';
import { buildCase, shareCase } from '../support/caseTree.ts';
import { compare, type PathCase, pathCases, type Verdict } from '../support/pathCases.ts';
import { completePath, readResource, valuesIn } from '../support/resourceRequests.ts';
import { share } from '../support/sharing.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

describe('every adversarial path, as a resource', {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
}, () => {
  const cases = pathCases().filter(
    ({ id, platform, kind, input }) =>
      (platform === 'posix' || platform === 'linux') &&
      kind === undefined &&
      id !== 'S29' &&
      typeof input === 'string',
  );

  test(`${cases.length} cases are read or refused as they should be, and complete to nothing outside`, async t => {
    const session = new RawSession(t);
    await session.initialize();
    await share(session, []);
    const verdicts = new Map<string, Verdict>();
    const beyond: string[] = [];
    for (const one of cases) {
      const built = buildCase(tempFolder(t), one);
      await shareCase(session, built, one);
      const path = String(built.input);
      verdicts.set(one.id, verdictOf(await readResource(session, uriFor(path))));
      const folders = built.roots.map(({ uri }) => decodeURIComponent(uri.slice('file://'.length)));
      const values = valuesIn(await completePath(session, path.replace(/^\/+/, '')));
      beyond.push(...values.filter(value => !folders.some(root => `/${value}`.startsWith(root))));
    }
    deepEqual(beyond, []);
    const refusable = cases.filter(({ expect }) => expect !== 'inside').map(asUri);
    const { actual, expected } = compare(refusable, ({ id }) => verdicts.get(id) ?? 'inside');
    deepEqual(actual, expected);
    const inside = cases.filter(({ expect }) => expect === 'inside').map(({ id }) => id);
    // The others are inside, too, but they are relative or name nothing that is there.
    const there = ['P01', 'P02', 'P64', 'S02', 'S11', 'S13', 'S14', 'S16', 'S17'];
    deepEqual(
      inside.filter(id => verdicts.get(id) === 'inside'),
      there,
    );
    deepEqual(
      inside.filter(id => verdicts.get(id) === 'outside'),
      [],
    );
  });

  /** The URI that decodes to an absolute path. What is relative, or a URI, stays as it is. */
  function uriFor(path: string): string {
    return path.startsWith('/') && !/\p{Surrogate}/u.test(path)
      ? `file://${path.split('/').map(encodeURIComponent).join('/')}`
      : path;
  }

  /** What is to be expected of a case when its path comes as a URI: no URI is relative. */
  function asUri(one: PathCase): PathCase {
    const isUri = /^(?:\/|file:)/i.test(String(one.input));
    // A NUL goes, with its name, when the dots after it are resolved, as URLs want it.
    const expect = one.id === 'P26' ? 'outside' : isUri ? one.expect : 'error';
    return { ...one, expect };
  }

  function verdictOf({ result, error }: Message): Verdict {
    if (result) {
      return 'inside';
    }
    return / is outside the folders shared with this server\. /.test(error?.message ?? '')
      ? 'outside'
      : 'error';
  }
});
