import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowsCommand } from '../../../../../src/mcp/process/stdio/windowsCommand.ts';
import { said } from '../../../../support/texts.ts';

const env = {
  Path: 'C:\\tools;"C:\\Program Files\\nodejs"',
  PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS',
  SystemRoot: 'C:\\Windows',
};
const cmd = 'C:\\Windows\\System32\\cmd.exe';
const files = [
  ...['C:\\Program Files\\nodejs\\node.exe', 'C:\\Program Files\\nodejs\\npx.cmd'],
  ...['C:\\tools\\build.bat', 'C:\\tools\\100%.cmd', 'C:\\proj\\web\\run.cmd'],
  ...['C:\\proj\\web\\local.exe', 'C:\\tools\\script.js', 'C:\\tools\\server.bin'],
  ...['C:\\tools\\shim'],
];

function resolved(command: string, args: readonly string[] = []) {
  const isFile = (path: string) => files.some(file => file.toLowerCase() === path.toLowerCase());
  return windowsCommand({ command, args, cwd: 'C:\\proj\\web', env }, isFile);
}

function refused(command: string, ...args: readonly string[]): string {
  return reasonOf(() => resolved(command, args));
}

/** Why this fails, by the keys of its texts. */
function reasonOf(run: () => unknown): string {
  let reason = '';
  assert.throws(run, ({ message }: Error) => {
    reason = said(message);
    return true;
  });
  return reason;
}

test('finds a program along PATH and runs it with unchanged arguments', () => {
  assert.deepEqual(resolved('node', ['a b', '%PATH%', '"']), {
    command: 'C:\\Program Files\\nodejs\\node.EXE',
    args: ['a b', '%PATH%', '"'],
    isVerbatim: false,
  });
});

test('finds a batch file by PATHEXT and runs it with the system’s command processor', () => {
  assert.deepEqual(resolved('npx', ['-y', 'some server']), {
    command: cmd,
    args: [
      ...['/e:ON', '/v:OFF', '/d', '/s', '/c'],
      ...['""C:\\Program Files\\nodejs\\npx.CMD" "-y" "some server""'],
    ],
    isVerbatim: true,
  });
  for (const command of ['npx.cmd', 'NPX.CMD', 'build', '.\\run', 'C:/tools/build.bat']) {
    assert.equal(resolved(command).isVerbatim, true, command);
  }
});

test('takes nothing from the working directory by a bare name', () => {
  for (const command of ['local', 'local.exe', 'run', 'run.cmd']) {
    assert.equal(refused(command), `startError.notOnPath(${command})`);
  }
  for (const command of ['.\\local', './local.exe', 'C:\\proj\\web\\local']) {
    assert.equal(resolved(command).command.toLowerCase(), 'c:\\proj\\web\\local.exe');
  }
});

test('ignores folders in PATH that are relative to the working directory', () => {
  for (const folder of ['.', '', '..\\web', 'C:', 'C:.', '\\proj\\web', '%CD%']) {
    const start = { command: 'local', args: [], cwd: 'C:\\proj\\web' };
    const isFile = (path: string) => /\\local\.exe$/i.test(path);
    const only = { ...env, Path: `;${folder};` };
    const refusal = reasonOf(() => windowsCommand({ ...start, env: only }, isFile));
    assert.equal(refusal, 'startError.notOnPath(local)');
    const both = { ...env, Path: `${folder};\\\\server\\tools` };
    const { command } = windowsCommand({ ...start, env: both }, isFile);
    assert.equal(command, '\\\\server\\tools\\local.EXE', folder);
  }
});

test('reports a missing program, and never leaves the search to the system', () => {
  const commands = ['nothing', '', 'bin\\nothing', 'npx -y server'];
  assert.deepEqual(
    commands.map(command => refused(command)),
    [
      'startError.notOnPath(nothing)',
      'startError.notOnPath()',
      'startError.notThere(C:\\proj\\web\\bin\\nothing)',
      'startError.programLack(startError.notOnPath(npx -y server), npx)',
    ],
  );
});

test('runs a program with an unknown extension, and no script without extension', () => {
  assert.equal(resolved('server.bin').command, 'C:\\tools\\server.bin');
  assert.equal(refused('shim'), 'startError.notOnPath(shim)');
});

test('refuses arguments that cannot be given to a batch file', () => {
  const npx = 'C:\\Program Files\\nodejs\\npx.CMD';
  for (const argument of ['a\nb', 'a\r', 'a\0b']) {
    assert.equal(refused('npx', argument), `windowsCommand.impossible.characters(${npx})`);
  }
  const percent = 'C:\\tools\\100%.CMD';
  assert.equal(refused('100%'), `windowsCommand.impossible.characters(${percent})`);
  const long = refused('npx', 'x'.repeat(8200));
  assert.equal(long, `windowsCommand.impossible.length(${npx}, 8191)`);
});

test('keeps arguments of a batch file from the command processor, and passes each whole', () => {
  const nasty = [
    ...['', 'plain', 'with spaces', '"', '""', '"&calc&"', 'a"b&c|d<e>f^g', '%PATH%'],
    ...['%PATH:~0,1%&calc', '100%', '%%', '"%SECRET%"', 'ends with \\', 'ends with \\\\'],
    ...['has \\" inside', '\\\\server\\share\\', '^', '!VAR!', '(a) [b] {c} = ; , * ? ~ `', "it's"],
    ...['größe 日本'],
  ];
  for (const args of [...nasty.map(one => [one]), nasty]) {
    const line = lineOf(resolved('npx', args).args);
    // Once for the line itself, and once more for `%*` in the batch file.
    assert.equal(unquotedMeta(line), '', line);
    assert.deepEqual(programArguments(line).slice(1), args);
  }
});

/** The command processor's text of a line before it looks for special characters. */
function lineOf(args: readonly string[]): string {
  const last = args.at(-1) ?? '';
  return expanded(last.slice(1, -1), { CD: 'C:\\proj', PATH: 'evil" & calc & "', SECRET: 's' });
}

/** Variables, as on a command line: missing ones stay as they are. */
function expanded(line: string, variables: Record<string, string>): string {
  let result = '';
  for (let index = 0; index < line.length; index++) {
    const end = line[index] === '%' ? line.indexOf('%', index + 1) : -1;
    const [, name = '', from, to] =
      end === -1
        ? []
        : (/^([^:]+)(?::~(-?\d*)(?:,(-?\d*))?)?$/.exec(line.slice(index + 1, end)) ?? []);
    const value = variables[name.toUpperCase()];
    if (value === undefined) {
      result += line[index];
    } else {
      const isPart = from !== undefined;
      result += isPart ? value.slice(Number(from), Number(from) + Number(to ?? 1e9)) : value;
      index = end;
    }
  }
  return result;
}

function unquotedMeta(line: string): string {
  let isQuoted = false;
  return [...line]
    .filter(character => {
      isQuoted = character === '"' ? !isQuoted : isQuoted;
      return !isQuoted && '&|<>^()'.includes(character);
    })
    .join('');
}

/** How a program of the C run-time reads its command line. */
function programArguments(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const slashes = /^\\*/.exec(line.slice(index))?.[0].length ?? 0;
    const isBeforeQuote = line[index + slashes] === '"';
    if (slashes > 0) {
      current = (current ?? '') + '\\'.repeat(isBeforeQuote ? slashes / 2 : slashes);
      index += slashes - 1;
      if (isBeforeQuote && slashes % 2 === 1) {
        current += '"';
        index += 1;
      }
    } else if (line[index] === '"') {
      current ??= '';
      if (isQuoted && line[index + 1] === '"') {
        current += '"';
        index += 1;
      } else {
        isQuoted = !isQuoted;
      }
    } else if (line[index] === ' ' && !isQuoted) {
      args.push(...(current === undefined ? [] : [current]));
      current = undefined;
    } else {
      current = (current ?? '') + line[index];
    }
  }
  return [...args, ...(current === undefined ? [] : [current])];
}
