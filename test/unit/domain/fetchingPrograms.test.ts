import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchedWords } from '../../../src/domain/fetchingPrograms.ts';
import { mayDownload } from '../../../src/domain/servers/launch.ts';
import { httpLaunch, stdioLaunch } from '../../support/launches.ts';

/** The word of a command line that may name a fetched package; `undefined`: nothing is fetched. */
function named(line: string): readonly string[] | undefined {
  const [command = '', ...args] = line.split(' ');
  const words = fetchedWords(command, args);
  return words && [...words].sort((a, b) => a - b).map(index => args[index] ?? '');
}

it('finds the package of a fetching program in the first word after its options', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['npx -y good-pkg --token abc', ['good-pkg']],
    ['npx --package a -p b run-it x', ['a', 'b', 'run-it']],
    ['npx --package=a --registry https://r.example run-it', ['--package=a', 'run-it']],
    ['npx -- good-pkg', ['good-pkg']],
    ['npm exec --yes good-pkg', ['good-pkg']],
    ['pnpm dlx good-pkg', ['good-pkg']],
    ['yarn dlx -q good-pkg', ['good-pkg']],
    ['bunx good-pkg', ['good-pkg']],
    ['uvx --from git+https://h/x tool --key abc', ['git+https://h/x', 'tool']],
    ['uv tool run --python 3.12 tool', ['tool']],
    ['uv --directory /proj run --with pkg server', ['pkg', 'server']],
    ['pipx run --spec p tool', ['p', 'tool']],
    ['docker run -i --rm -e TOKEN=abc -v /a:/b mcp/fetch --auth abc', ['mcp/fetch']],
    ['docker container run mcp/fetch', ['mcp/fetch']],
    ['docker --context far run mcp/fetch', ['mcp/fetch']],
    ['deno run -A jsr:@a/b', ['jsr:@a/b']],
    ['C:\\node\\npx.cmd good-pkg', ['good-pkg']],
    ['cmd /d /c npx -y good-pkg', ['good-pkg']],
    ['env A=b npx -y --auth good-pkg', ['good-pkg']],
    ['mise exec -- uvx -U good-pkg', ['good-pkg']],
    ['npx --//npm.example/:_authToken abc good-pkg', ['good-pkg']],
    // The word after an unknown option may be the name.
    ['npx --init-private good-pkg', ['good-pkg']],
    ['npx --new-auth x good-pkg y', ['x', 'good-pkg']],
    ['docker run --new-token A=b mcp/fetch', ['mcp/fetch']],
  ];
  for (const [line, words] of lines) {
    assert.deepEqual(named(line), words, line);
  }
});

it('tells fetching programs from others', () => {
  for (const line of ['node server.js', 'npm start', 'docker exec -i c x', 'cmd /c dir']) {
    assert.equal(named(line), undefined, line);
  }
});

it('allows minutes only for the start of a program that fetches', () => {
  assert.equal(mayDownload(stdioLaunch({ command: 'uvx', args: ['files'] })), true);
  assert.equal(mayDownload(stdioLaunch({ command: 'docker', args: ['exec', 'files'] })), false);
  assert.equal(mayDownload(httpLaunch('https://npx')), false);
});
