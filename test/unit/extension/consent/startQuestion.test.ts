import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { FolderAccess } from '../../../../src/domain/consent/folderAccess.ts';
import type { Launch } from '../../../../src/domain/servers/launch.ts';
import {
  defaultTerms,
  type ServerDefinition,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import { startDetail, startQuestion } from '../../../../src/extension/consent/startQuestion.ts';
import { bundledFields, bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import { accessOf, exclusion, folder, shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';

const skip = onlyOn('linux', 'there is no sandbox elsewhere');

test('the question before the start of the bundled server names its sandbox', { skip }, () => {
  const definition = bundledServer('/extension', { allowWrite: false, isBundledSandboxed: true });
  const asked = { definition, fields: bundledFields(definition) };
  match(
    startDetail(asked, undefined, '', []),
    /outside its roots\.\nWhere it can, the system keeps it/,
  );
});

test('the question before a start names whose settings demand it, also of a remote machine', () => {
  const asked = (launch: Launch, more: Partial<ServerDefinition>) => {
    const definition = { ...userServer('files', launch, defaultTerms), ...more };
    return startDetail({ definition, fields: {} }, undefined, '', []).split('\n')[0];
  };
  const launches = [
    stdioLaunch({ command: 'npx' }),
    stdioLaunch({ command: 'npx', args: ['-y', 'x'.repeat(5000)] }),
    httpLaunch('https://mcp.example.com'),
  ];
  const whose = [
    { from: 'user' },
    { from: 'user', isOfMachine: true },
    { from: 'workspace' },
  ] as const;
  deepEqual(
    whose.map(more => launches.map(launch => asked(launch, more))),
    [
      'Your user settings',
      'The settings of the remote machine',
      'The settings of this workspace',
    ].map(settings => [
      `${settings} start it with: npx`,
      `${settings} start it with: npx`,
      `${settings} reach it at: https://mcp.example.com`,
    ]),
  );
});

test('a server is told of no folder because its definition names none that there is', async () => {
  const [api, gone] = [exclusion(folder('api'), 'not-offered'), exclusion(folder('x'), 'missing')];
  const toldOf = async (offers: readonly string[] | undefined, ...folders: FolderAccess[]) => {
    const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, offers });
    const access = accessOf(...folders);
    const server = shownServer({ definition, access, sandboxNeeds: async () => [] });
    const { detail } = await startQuestion({ server, folders: [] }, undefined);
    return /^It will be told of .*$/m.exec(String(detail))?.[0];
  };
  const none = 'It will be told of no folder.';
  const denied = exclusion(folder('docs'), 'denied');
  deepEqual(
    [
      await toldOf(['x'], api, gone),
      await toldOf(['x\n', 'b', 'c', 'd', 'e'], api),
      await toldOf(['x', 'docs'], api, gone, denied),
      await toldOf(undefined, gone),
    ],
    [
      'It will be told of no folder: none matches "x".',
      'It will be told of no folder: none matches "x\\u000a", "b", "c" and 2 more.',
      none,
      none,
    ],
  );
});

test('that question names no variable and no working directory, which are none of the user', () => {
  const definition = bundledServer('/extension', { allowWrite: true, isBundledSandboxed: false });
  const asked = { definition, fields: bundledFields(definition) };
  deepEqual(startDetail(asked, undefined, 'It will be told of: …', []).split('\n\n').slice(1), [
    'This server comes with the extension. It refuses every path outside its roots.\nInside its roots it may create, change, move and delete files.',
    'It will be told of: …',
  ]);
});
