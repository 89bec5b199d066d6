import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameFromCommand } from '../../../src/domain/adding/serverDraft.ts';
import { isProtectedName } from '../../../src/domain/paths/protectedPath.ts';
import { isSecretName } from '../../../src/domain/secrets/secretNames.ts';
import { argumentsAsShown } from '../../../src/domain/secrets/shownTexts.ts';
import { commandWords } from '../../../src/domain/servers/commandWords.ts';
import { readEnvFile } from '../../../src/domain/settings/envFile.ts';
import { replaceVariables, variablesIn } from '../../../src/domain/variables.ts';
import { windowsCommand } from '../../../src/mcp/process/stdio/windowsCommand.ts';
import { cpuTimeOf, littleTime } from '../../support/cpuTime.ts';
import { planFor } from '../../support/importing.ts';
import { fieldsOf } from '../../support/launches.ts';

function long(part: string, length = 500_000): string {
  return part.repeat(length / part.length);
}

/** As much as is taken over of one server. */
const imported = 90_000;

/** Texts that a repository, a server or a person may bring, before the first to read each of them. */
const readings: Readonly<Record<string, () => unknown>> = {
  'variables that nothing closes': () => variablesIn(long('${')),
  'the same to be replaced': () => replaceVariables(long('${a'), () => ''),
  'the same as a command line': () => commandWords(long('${'), false),
  'a command line of quotes': () => commandWords(`"${long('\\"')}\\`, true),
  'one of apostrophes and quotes': () => commandWords(long(`"'\\`), false),
  'the same as an argument to import': () =>
    planFor({ one: { command: 'npx', args: [long('${', imported)] } }),
  'a list of tokens to import': () =>
    planFor({ one: { command: 'npx', args: Array(imported / 15).fill('--token=abc') } }),
  'the beginnings of keys to import': () =>
    planFor({ one: { command: 'npx', args: [long('eyJhbGciOi-', imported)] } }),
  'a name of hyphens to import': () =>
    planFor({ [`a${long('-', imported)}a`]: { command: 'npx', env: { TOKEN: 'abc' } } }),
  'a package of hyphens': () => nameFromCommand('npx', [`a${long('-')}a`]),
  'a file name of dots and blanks': () => isProtectedName(`a${long('. ')}a`),
  'an address of question marks': () =>
    fieldsOf({ type: 'http', url: `https://example.com/${long('?')}`, headers: {} }),
  'an address of hooks': () =>
    fieldsOf({ type: 'http', url: `https://example.com${long('/hooks')}`, headers: {} }),
  'a name of amounts': () => isSecretName(long('max_')),
  'an environment file of comments and a line separator': () =>
    readEnvFile(`A=${long(' #')}\u2028`),
  'one of blanks and a line separator': () => readEnvFile(`A=${long(' ')}\u2028`),
  'quotes over many lines of an environment file': () => readEnvFile(long('A="\n"\n')),
  'escaped quotes of an environment file': () => readEnvFile(`A="${long('\\"')}"`),
  'a quote of an environment file that nothing closes': () => readEnvFile(`A="${long('x\n')}`),
  'a chain of secrets for a shell': () => argumentsAsShown('sh', ['-c', long('|,TOKEN=a')]),
  'backslashes for a batch file': () =>
    assert.throws(() =>
      windowsCommand(
        { command: 'a.cmd', args: [`${long('\\')}a`], cwd: 'C:\\', env: { PATH: 'C:\\tools' } },
        () => true,
      ),
    ),
};

for (const [what, read] of Object.entries(readings)) {
  // Where the time grows with the square of the length, it is many times as much.
  test(`${what}: reads any length quickly`, () => {
    const taken = cpuTimeOf(() => void read());
    assert.ok(taken < littleTime, `took ${taken} ms`);
  });
}
