import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { codeArguments } from '../../../../src/domain/sandbox/codeArguments.ts';

/** Command lines and the code in them. Of a script, the ending that Node would add is left out. */
const scripts: readonly (readonly [line: string, ...scripts: string[]])[] = [
  ['node server.js /home/u/secret.json', 'server.js'],
  ['node --enable-source-maps dist/index', 'dist/index'],
  ['node -- server.js', 'server.js'],
  ['node --env-file /home/u/.env server.js', 'server.js'],
  ['node --env-file=/home/u/.env server.js', 'server.js'],
  ['node --require ./x.js server.js a', './x.js', 'server.js'],
  ['node -r dotenv/config server.js', 'server.js'],
  ['node --import=/x/tracing.mjs -C dev server.js', '/x/tracing.mjs', 'server.js'],
  ['node -e run() /home/u/secret.json'],
  ['node --eval=run() /home/u/secret.json'],
  ['node -p -r /x/y.js 1 /home/u/secret.json'],
  ['node --input-type module -e run() /home/u/secret.json'],
  ['node - /home/u/secret.json'],
  ['node --test /home/u/secret'],
  ['node --run start'],
  ['node'],
  ['tsx watch --tsconfig a.json server.ts a', 'server.ts'],
  ['ts-node -P a.json server.ts', 'server.ts'],
  ['bun run --cwd /x server.ts a', 'server.ts'],
  ['bun --preload ./x.ts server.ts', './x.ts', 'server.ts'],
  ['deno run -A --allow-read=/home/u --config deno.json main.ts a', 'main.ts'],
  ['deno run - /home/u/secret.json'],
  ['python3.12 server.py a', 'server.py'],
  ['python -u -W ignore server.py a', 'server.py'],
  ['python -uW ignore server.py a', 'server.py'],
  ['python -Werror server.py a', 'server.py'],
  ['python -X dev server.py a', 'server.py'],
  ['python -c run() /home/u/secret'],
  ['python -Ic run() /home/u/secret'],
  ['python -m pkg.sub /home/u/data', 'pkg/sub.py', 'pkg/sub/__main__.py'],
  ['python -um pkg /home/u/data', 'pkg.py', 'pkg/__main__.py'],
  ['python -mpkg /home/u/data'],
  ['bash start.sh a', 'start.sh'],
  ['bash -euo pipefail start.sh a', 'start.sh'],
  ['bash -c run /home/u/secret'],
  ['bash -lc run /home/u/secret'],
  ['sh -s /home/u/secret'],
  ['sh -x start.sh', 'start.sh'],
  ['mcp run -t stdio server.py', 'server.py'],
  ['fastmcp run server.py a', 'server.py'],
];

test('finds the code of a command line, and not the arguments of the code', () => {
  for (const [line, ...expected] of scripts) {
    const [program = '', ...args] = line.split(' ');
    const found = codeArguments(program, args)?.scripts ?? [];
    const endings = found.filter(
      one => found.includes(one.replace(/\.js$/, '')) && !expected.includes(one),
    );
    deepEqual([line, ...found.filter(one => !endings.includes(one))], [line, ...expected]);
  }
});

test('finds a script of Node without its extension', () => {
  deepEqual(codeArguments('node', ['dist/index'])?.scripts, ['dist/index', 'dist/index.js']);
});

test('finds a program that another program runs', () => {
  const commands = [
    ['env -u A B=1 node server.js', 'node server.js'],
    ['env -S node --flag', 'node --flag'],
    ['env A=1', undefined],
    ['env', undefined],
    ['npx -y tsx server.ts', 'tsx server.ts'],
    ['npx -p typescript -y tsc a', 'tsc a'],
    ['npx -c run /home/u/secret', undefined],
    ['bunx server a', 'server a'],
  ] as const;
  for (const [line, expected] of commands) {
    const [program = '', ...args] = line.split(' ');
    deepEqual([line, codeArguments(program, args)?.command?.join(' ')], [line, expected]);
  }
});

test('finds the project of a tool', () => {
  const projects = [
    ['npm start', '.', undefined],
    ['npm run start --prefix /x', '/x', undefined],
    ['npm --prefix=/x start -- --prefix /home/u', '/x', undefined],
    ['npm exec -y server', undefined, undefined],
    ['pnpm -C /x start', '/x', undefined],
    ['pnpm start --dir /home/u', '.', undefined],
    ['pnpm dlx server', undefined, undefined],
    ['yarn --cwd /x start --cwd /home/u', '/x', undefined],
    ['uv run server.py a', '.', 'server.py a'],
    ['uv --directory /x run server', '/x', 'server'],
    ['uv run --directory /x --with a python -u server.py', '/x', 'python -u server.py'],
    ['uv run server --directory /home/u', '.', 'server --directory /home/u'],
    ['uv run -m pkg --project /home/u', '.', ''],
    ['uv tool run server', undefined, undefined],
    ['uv pip install a', undefined, undefined],
  ] as const;
  for (const [line, project, command] of projects) {
    const [program = '', ...args] = line.split(' ');
    const code = codeArguments(program, args);
    deepEqual([line, code?.project, code?.command?.join(' ')], [line, project, command]);
  }
});

test('says that a program runs no other code', () => {
  const others = ['server', 'git', 'nodemon', 'python-server', 'toString'];
  deepEqual(new Set(others.map(name => codeArguments(name, ['a']))), new Set([undefined]));
});
