import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../../src/domain/servers/launch.ts';
import {
  configurationRoutes,
  defaultTerms,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

test('a server of the settings has an id of its own kind, its name as label, and its terms', () => {
  const launch = stdioLaunch({ args: ['/data'], env: { A: 'b' } });
  const terms = { ...defaultTerms, protocol: 'legacy', offers: ['web'] } as const;
  assert.deepEqual(userServer('bundled', launch, terms), {
    id: 'setting:bundled',
    label: 'bundled',
    launch,
    offers: ['web'],
    protocol: 'legacy',
    autoStart: true,
    rootsAs: ['roots'],
    sandbox: undefined,
  });
});

test('the label of a server can be shown wherever a line is, whatever its name is', () => {
  const { label } = userServer('two\nlines\u202e', stdioLaunch(), defaultTerms);
  assert.equal(label, 'two\\u000alines\\u202e');
});

test('a command line shows where each word begins and ends, and nothing that could forge it', () => {
  const args = ['-y', 'a b', '', 'say "hi"', '$HOME', 'two\nlines', 'rtl\u202ename'];
  assert.equal(
    commandLine(stdioLaunch({ command: 'npx', args })),
    'npx -y "a b" "" "say \\"hi\\"" "$HOME" "two\\nlines" rtl\\u202ename',
  );
});

test('of a server over HTTP the URL is shown, without credentials and secrets in its query', () => {
  const shown = (url: string) => commandLine(httpLaunch(url, { Authorization: 'Bearer hunter2' }));
  foundAsExpected({
    plain: [shown('https://example.com:8080/mcp'), 'https://example.com:8080/mcp'],
    path: [shown('https://h/sk-aaaaaaaaaaaaaaaaaaaa/mcp'), 'https://h/…[23]/mcp'],
    query: [
      shown('https://example.com/mcp?key=hunter2&team=a=hunter2&hunter2#hunter2'),
      'https://example.com/mcp?key=…[7]&team=a=hunter2&…[7]#hunter2',
    ],
    user: [shown('https://me:hunter2@example.com/mcp'), 'https://me:…[7]@example.com/mcp'],
    odd: [shown('HTTP://me:hunter2?@hunter2'), 'HTTP://me:hunter2?…[8]'],
    variables: [shown('${env:BASE}/mcp?key=${input:key}'), '${env:BASE}/mcp?key=${input:key}'],
    forged: [shown('https://example.com/\n\u202emcp'), 'https://example.com/\\u000a\\u202emcp'],
    empty: [shown('https://example.com/mcp?'), 'https://example.com/mcp?'],
  });
});

test('only arguments and environment are configuration', () => {
  assert.deepEqual(configurationRoutes(['roots', 'env', 'args']), ['env', 'args']);
});
