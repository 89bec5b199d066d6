import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planImport } from '../../../../src/domain/adding/importPlan.ts';
import type { ImportSource } from '../../../../src/domain/gateway/clientFiles.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { emptySettings, shownPlan } from '../../../support/importing.ts';

const ofFolder: ImportSource = { label: '.mcp.json', at: [], scope: 'workspace' };
const ofWeb: ImportSource = { ...ofFolder, folder: 'web' };
const ofUser: ImportSource = { label: '~', at: [], scope: 'user' };
const at = (...keys: readonly string[]): ImportSource => ({ ...ofFolder, at: keys });
const inner = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight((part, key) => ({ [key]: part }), value);

const npx = { command: 'npx', args: ['-y', 'a-server'] };
const url = 'https://mcp.example.com/mcp';
const left = (braces: string) => `braces(${braces})`;
const noDefault = (name: string) => `noDefault(${name})`;

/** A server in a client's form, the entry that it means, and the notes on it. */
type Form = readonly [server: object, entry: object | undefined, ...notes: string[]];
type PlacedForm = readonly [ImportSource, ...Form];

/** Each in the file of the first folder, unless another place stands before it. */
const forms: Readonly<Record<string, Form | PlacedForm>> = {
  'Claude Code: a variable': [
    { ...npx, env: { API_URL: '${API_URL}' } },
    { ...npx, env: { API_URL: '${env:API_URL}' } },
  ],
  'Claude Code: a default': [
    { ...npx, env: { MODE: '${MODE:-dev}', EMPTY: '${EMPTY:-}' } },
    { ...npx, env: { MODE: '${env:MODE:-dev}', EMPTY: '${env:EMPTY:-}' } },
  ],
  'Claude Code: a default that is a secret': [
    { ...npx, env: { API_KEY: '${API_KEY:-hunter2}' } },
    { ...npx, env: { API_KEY: '${env:API_KEY}' } },
    noDefault('API_KEY'),
  ],
  'Claude Code: defaults that are secrets by where they stand': [
    {
      url: 'https://a.example.com/?api_key=${K:-hunter2}',
      headers: { Authorization: 'Bearer ${T:-hunter2}', Cookie: '${env:MY.C:-hunter2}' },
    },
    {
      url: 'https://a.example.com/?api_key=${env:K}',
      headers: { Authorization: 'Bearer ${env:T}', Cookie: '${env:MY.C}' },
    },
    noDefault('K, T, MY.C'),
  ],
  'a default that is a secret, in a script': [
    { command: 'bash', args: ['-c', 'a --b=${API_KEY:-hunter2} --c=${B:-https://u:hunter2@h}'] },
    { command: 'bash', args: ['-c', 'a --b=$${API_KEY} --c=$${B}'] },
    noDefault('API_KEY, B'),
    left('${API_KEY}, ${B}'),
  ],
  'a default that is a secret, left to the program': [
    { command: 'a', args: ['${API_KEY:-hunter2}'], env: { API_KEY: '${OTHER:-hunter2}' } },
    { command: 'a', args: ['$${API_KEY}'], env: { API_KEY: '${env:OTHER}' } },
    noDefault('API_KEY, OTHER'),
    left('${API_KEY}'),
  ],
  'Claude Code: a header and an address': [
    { type: 'http', url: '${BASE:-https://a.example.com}/mcp', headers: { A: 'Bearer ${T_1}' } },
    {
      type: 'http',
      url: '${env:BASE:-https://a.example.com}/mcp',
      headers: { A: 'Bearer ${env:T_1}' },
    },
  ],
  'Claude Code: a command and its arguments': [
    { command: '${HOME}/bin/a', args: ['--dir=${DATA:-/tmp/${USER}'] },
    undefined,
    'args[0] unknownVariable(${env:DATA:-…})',
  ],
  'Claude Code: the folder of the project': [
    { command: '${CLAUDE_PROJECT_DIR:-.}/a', cwd: '${CLAUDE_PROJECT_DIR}' },
    { command: '${workspaceFolder}/a', cwd: '${workspaceFolder}' },
  ],
  'Claude Code: the project of a second folder': [
    ofWeb,
    { command: 'node', args: ['${CLAUDE_PROJECT_DIR:-.}/a.js', 'b.js'] },
    {
      command: 'node',
      args: ['${workspaceFolder:web}/a.js', 'b.js'],
      cwd: '${workspaceFolder:web}',
    },
  ],
  'mcp-remote, which reads its own environment': [
    { command: 'npx', args: ['mcp-remote', url, '--header', 'X-Team:${TEAM}'], env: { TEAM: 'a' } },
    {
      command: 'npx',
      args: ['mcp-remote', url, '--header', 'X-Team:$${TEAM}'],
      env: { TEAM: 'a' },
    },
    left('${TEAM}'),
  ],
  'a variable that is handed on under its name': [
    { command: 'a', args: ['--team', '${TEAM}'], env: { TEAM: '${TEAM}' } },
    { command: 'a', args: ['--team', '${env:TEAM}'], env: { TEAM: '${env:TEAM}' } },
  ],
  'a script of a shell': [
    { command: '/bin/bash', args: ['-lc', 'cd ${X%/*} && exec a "${1:-.}" ${workspaceFolder}'] },
    { command: '/bin/bash', args: ['-lc', 'cd $${X%/*} && exec a "$${1:-.}" ${workspaceFolder}'] },
    left('${X}, ${1}'),
  ],
  'options of programs that take no code': [
    { command: 'node', args: ['-r', '${HOME}/a.js', 'sh', '-e', '${HOME}/a.sh'] },
    { command: 'node', args: ['-r', '${env:HOME}/a.js', 'sh', '-e', '${env:HOME}/a.sh'] },
  ],
  'a script of a shell in a container': [
    { command: 'docker', args: ['run', '-e', 'A=${A}', 'b', 'sh', '-c', 'echo ${A}'] },
    { command: 'docker', args: ['run', '-e', 'A=${env:A}', 'b', 'sh', '-c', 'echo $${A}'] },
    left('${A}'),
  ],
  'a program in an argument': [
    { command: 'node', args: ['-e', 'import(`${process.argv[1]}`)', '${HOME}/a.js'] },
    { command: 'node', args: ['-e', 'import(`$${process.argv[1]}`)', '${env:HOME}/a.js'] },
    left('${process.argv[1]}'),
  ],
  'VS Code: all of its variables that have a value here': [
    {
      command: '${workspaceFolder}${/}a',
      args: ['${workspaceFolderBasename}', '${userHome}', '${env:A}', 'b${pathSeparator}c'],
    },
    { command: '${workspaceFolder}/a', args: ['api', '${userHome}', '${env:A}', 'b/c'] },
  ],
  'VS Code: a second folder': [
    ofWeb,
    { ...npx, cwd: 'tools', envFile: '${workspaceFolder}/.env' },
    { ...npx, cwd: '${workspaceFolder:web}/tools', envFile: '${workspaceFolder:web}/.env' },
  ],
  'VS Code: a folder with the name of another one': [
    { ...ofWeb, folderPath: '/other/web' },
    { command: 'a', args: ['${workspaceFolder}/b', '${workspaceFolderBasename}'] },
    { command: 'a', args: ['/other/web/b', 'web'], cwd: '/other/web' },
  ],
  'VS Code: a folder that is called like a variable': [
    { ...ofWeb, folderPath: '/other/${userHome}' },
    { command: 'a', args: ['${workspaceFolder}/b', '${workspaceFolderBasename}'] },
    { command: 'a', args: ['/other/$${userHome}/b', '$${userHome}'], cwd: '/other/$${userHome}' },
  ],
  'a workspace file': [
    at('settings', 'mcp'),
    { type: 'stdio', command: 'a', env: { PORT: 1, DEBUG: true, GONE: null } },
    { type: 'stdio', command: 'a', env: { PORT: '1', DEBUG: 'true', GONE: null } },
  ],
  'a development container': [
    at('customizations', 'vscode', 'mcp'),
    { command: 'a', args: ['${containerWorkspaceFolder}/b'] },
    { command: 'a', args: ['${workspaceFolder}/b'] },
  ],
  'Claude Desktop: numbers, and keys with nothing': [
    ofUser,
    { command: 'a', args: ['--port', 3000, '--fast', true], env: null, cwd: '' },
    { command: 'a', args: ['--port', '3000', '--fast', 'true'] },
    'dropped(cwd)',
  ],
};

function placed(form: Form | PlacedForm): PlacedForm {
  return ('label' in form[0] ? form : [ofFolder, ...form]) as PlacedForm;
}

test('imports a client’s entry with its meaning, and names what it leaves out', () => {
  const entries: Record<string, object> = {};
  for (const [title, form] of Object.entries(forms)) {
    const [source, server, entry, ...notes] = placed(form);
    const value = inner(source.at, { mcpServers: { it: server } });
    const [shown] = shownPlan(planImport([{ source, value }], emptySettings)).servers;
    assert.deepEqual([shown?.entry, shown?.notes], [entry, notes], title);
    Object.assign(entries, entry && { [title]: entry });
  }
  assert.deepEqual(readServerSettings(entries, emptySettings.around).problems, []);
});
