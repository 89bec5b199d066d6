import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  answer,
  type Decision,
  decide,
  decider,
  type Grant,
  isGrant,
  latestRefusals,
  readOnlyChoices,
} from '../../../../src/domain/consent/grants.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const api = 'file:///proj/api';
const web = 'file:///proj/web';

const terms = { forbiddenWithin: [], sessionStart: 0 };

function decisionOn(grants: readonly Grant[], identity: string, uri: string): Decision {
  return decide(grants, identity, { uri, disk: 'directory', place: '1:2' }, terms);
}

function grant(change: Partial<Grant> = {}): Grant {
  return {
    serverId: 'files',
    identity: 'id-1',
    fields: { transport: 'stdio', command: 'files', args: [] },
    folder: api,
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
    ...change,
  };
}

test('an answer holds for its server identity and folder only, and silence permits nothing', () => {
  const grants = [grant(), grant({ folder: web, decision: 'denied' })];
  const allowed = grant({ scope: 'always', at: 9000 });
  const denied = grant({ scope: 'session', decision: 'denied' });
  foundAsExpected({
    'nothing said': [decisionOn([], 'id-1', api), 'undecided'],
    'allowed folder': [decisionOn(grants, 'id-1', api), 'allowed'],
    'denied folder': [decisionOn(grants, 'id-1', web), 'denied'],
    'another folder': [decisionOn(grants, 'id-1', 'file:///proj'), 'undecided'],
    'a folder below': [decisionOn(grants, 'id-1', `${api}/src`), 'undecided'],
    'another identity': [decisionOn(grants, 'id-2', api), 'undecided'],
    // In any order, and for any duration.
    'allowed, and denied': [decisionOn([allowed, denied], 'id-1', api), 'denied'],
    'denied, and allowed': [decisionOn([denied, allowed], 'id-1', api), 'denied'],
  });
});

test('a permission holds for its folder, not for another folder at the same path', () => {
  const on = (place: string | undefined, at: number, change: Partial<Grant> = {}) => {
    const grants = [grant({ place: '1:2:3', at, ...change })];
    const folder = { uri: api, disk: 'directory', place } as const;
    return decide(grants, 'id-1', folder, { ...terms, sessionStart: 500 });
  };
  const gone = { uri: api, disk: 'missing', place: undefined } as const;
  foundAsExpected({
    'the same': [on('1:2:3', 1000), 'allowed'],
    'no birth time told': [on('1:2', 1000), 'allowed'],
    'another inode': [on('1:3:3', 1000), 'replaced'],
    'another birth time': [on('1:2:4', 1000), 'replaced'],
    'another device': [on('7:2:3', 1000), 'replaced'],
    'another device, answered before this session': [on('7:2:3', 100), 'allowed'],
    'another inode, answered before this session': [on('7:3:3', 100), 'replaced'],
    'another birth time, answered before this session': [on('7:2:4', 100), 'replaced'],
    'a place that is not known': [on(undefined, 1000), 'replaced'],
    'denied, another place': [on('7:3', 1000, { decision: 'denied' }), 'denied'],
    'answered without a place': [on('7:3', 1000, { place: undefined }), 'allowed'],
    'a folder that is gone': [decide([grant({ place: '1:2' })], 'id-1', gone, terms), 'allowed'],
  });
});

test('a folder needs a yes to each forbidden folder in it', () => {
  const [ssh, aws] = ['/proj/.ssh', '/proj/.aws'];
  const within = (despite: readonly string[] | undefined, ...forbiddenWithin: string[]) => {
    const folder = { uri: api, disk: 'directory', place: '1:2' } as const;
    return decide([grant({ despite })], 'id-1', folder, { ...terms, forbiddenWithin });
  };
  foundAsExpected({
    'none said, none there': [within(undefined), 'allowed'],
    'none said': [within(undefined, ssh), 'undecided'],
    said: [within([ssh], ssh), 'allowed'],
    'one of two': [within([ssh], ssh, aws), 'undecided'],
    'one more': [within([ssh, aws], ssh), 'allowed'],
  });
});

test('a decision on many folders is the same as one on each', () => {
  const folder = fc.constantFrom(api, web, 'file:///proj/docs');
  const someGrant = fc
    .record({
      serverId: fc.constantFrom('files', 'git'),
      identity: fc.constantFrom('id-1', 'id-2', 'id-3'),
      folder,
      decision: fc.constantFrom('allowed', 'denied'),
      at: fc.constantFrom(0, 1000),
    })
    .map(change => grant(change));
  fc.assert(
    fc.property(fc.array(someGrant), fc.constantFrom('id-1', 'id-2'), (grants, identity) => {
      const decideOn = decider(grants, { serverId: 'files', identity }, 0);
      for (const uri of [api, web]) {
        const asked = { ...diskFolder('/x', 'x', 'directory', 'linux'), uri };
        const ofServer = grants.filter(({ serverId }) => serverId === 'files');
        const own = ofServer.filter(grant => grant.identity === identity && grant.folder === uri);
        const decision = decideOn(asked, []);
        assert.equal(decision, decisionOn(ofServer, identity, uri));
        // A denial always wins, and answers on other servers or identities do not count.
        const isDenied = own.some(({ decision }) => decision === 'denied');
        assert.equal(decision, isDenied ? 'denied' : own.length > 0 ? 'allowed' : 'undecided');
      }
    }),
  );
});

test('a folder was refused if the last answer says so, for any server and clock', () => {
  const wasRefused = (...changes: Partial<Grant>[]) =>
    latestRefusals(changes.map(grant), 'files')({ uri: api });
  const [denied, identity, at] = ['denied', 'id-0', 2000] as const;
  assert.deepEqual(
    [
      wasRefused(),
      wasRefused({ decision: denied, identity }),
      wasRefused({ identity: 'id-2', at }, { decision: denied, identity }),
      wasRefused({ decision: denied, identity, at }, { identity: 'id-2' }),
      wasRefused({ decision: denied, folder: web }, { decision: denied, serverId: 'git' }),
    ],
    [false, true, true, false, false],
  );
});

test('a folder is read-only if one answer on the present identity says so', () => {
  const isReadOnly = true;
  const chosen = (...changes: Partial<Grant>[]) => {
    const grants = changes.map(grant);
    return readOnlyChoices(grants, { serverId: 'files', identity: 'id-1' })({ uri: api });
  };
  foundAsExpected({
    'nothing said': [chosen(), false],
    'both allowed': [chosen({}), false],
    'said so': [chosen({ isReadOnly }), true],
    'said so in another scope': [chosen({ at: 2000 }, { isReadOnly, scope: 'always' }), true],
    'said so of another folder': [chosen({ isReadOnly, folder: web }), false],
    'said so of another server': [chosen({ isReadOnly, serverId: 'git' }), false],
    refused: [chosen({ isReadOnly, decision: 'denied' }), true],
    'said so of what it was': [chosen({ isReadOnly, identity: 'id-0' }, {}), false],
    'said so last of what it was': [
      chosen({ identity: 'id-2', at: 2000 }, { isReadOnly, identity: 'id-0' }),
      true,
    ],
    'taken back of what it was': [
      chosen({ isReadOnly, identity: 'id-0', at: 2000 }, { identity: 'id-2' }),
      false,
    ],
  });
});

test('a new answer replaces every earlier answer on the same identity and folder', () => {
  const kept = [grant({ folder: web }), grant({ serverId: 'git' })];
  const earlier = [grant({ scope: 'always' }), grant({ scope: 'session', decision: 'denied' })];
  const next = grant({ decision: 'denied', at: 2000 });
  assert.deepEqual(answer([earlier[0]!, ...kept, earlier[1]!], next), [...kept, next]);
});

test('answers on a server hold again when its earlier identity returns', () => {
  for (const decision of ['allowed', 'denied'] as const) {
    const before = [grant(), grant({ folder: web, decision: 'denied' })];
    const grants = answer(before, grant({ identity: 'id-2', decision, at: 2000 }));
    assert.equal(decisionOn(grants, 'id-2', api), decision);
    assert.equal(decisionOn(grants, 'id-1', api), 'allowed');
    assert.equal(decisionOn(grants, 'id-1', web), 'denied');
  }
});

test('revoking a permission revokes it for every earlier identity, and a refusal stays', () => {
  const before = [
    grant(),
    grant({ identity: 'id-0', decision: 'denied' }),
    grant({ folder: web }),
    grant({ serverId: 'git', identity: 'id-git' }),
    grant({ identity: 'id-2', at: 2000 }),
  ];
  const grants = answer(before, grant({ identity: 'id-2', decision: 'denied', at: 3000 }));
  assert.deepEqual(
    ['id-0', 'id-1', 'id-2'].map(identity => decisionOn(grants, identity, api)),
    ['denied', 'undecided', 'denied'],
  );
  assert.equal(decisionOn(grants, 'id-1', web), 'allowed');
  assert.equal(decisionOn(grants, 'id-git', api), 'allowed');
});

test('a server that keeps changing leaves a limited number of answers, the newest', () => {
  const times = Array.from({ length: 100 }, (_, index) => index);
  const grants = times.reduce<Grant[]>(
    (all, at) => answer(all, grant({ identity: `id-${at}`, at })),
    [],
  );
  const ages = grants.map(({ at }) => at).sort((a, b) => a - b);
  assert.deepEqual(ages, times.slice(-8));
});

test('reads a stored grant back from JSON, and ignores a broken value', () => {
  const whole = [
    grant(),
    grant({ scope: 'always', decision: 'denied', folder: web }),
    grant({ folder: web, place: '64769:131:1795959202', despite: ['/proj/web/.ssh'] }),
    grant({ isReadOnly: true }),
  ];
  assert.ok(whole.every(one => isGrant(JSON.parse(JSON.stringify(one)))));
  const broken: Record<string, unknown> = {
    null: null,
    text: 'grants',
    list: [grant()],
    'no identity': { ...grant(), identity: undefined },
    'an unknown decision': { ...grant(), decision: 'maybe' },
    'a decision in a list': { ...grant(), decision: ['denied'] },
    'a scope in a list': { ...grant(), scope: ['always'] },
    'an unknown scope': { ...grant(), scope: 'forever' },
    'a folder that is no text': { ...grant(), folder: 5 },
    'no server': { ...grant(), serverId: undefined },
    'a place that is none': grant({ place: 'here' }),
    'a place that is no text': { ...grant(), place: 5 },
    'a second yes to nothing': { ...grant(), despite: 'all' },
    'read only in words': { ...grant(), isReadOnly: 'no' },
    'read only said not to be': { ...grant(), isReadOnly: false },
    'no time': { ...grant(), at: 'yesterday' },
    'no fields': { ...grant(), fields: null },
    'fields of numbers': { ...grant(), fields: { args: 5 } },
    'fields of lists of numbers': { ...grant(), fields: { args: [5] } },
  };
  assert.deepEqual(
    Object.entries(broken).filter(([, stored]) => isGrant(stored)),
    [],
  );
});
