import type { Mistakes } from '../settings/mistakes.ts';
import { type JsonObject, readSwitch } from '../settings/values.ts';

/** The keys that say how the arguments of a server, or of one of its tools, are checked. */
export const ruleKeys: readonly string[] = [
  'guard',
  'checkNames',
  'leaveNames',
  'pathPatterns',
  'allow',
  'deny',
];

/** The keys of every server, however it is reached. */
export const commonKeys: readonly string[] = [
  ...['type', 'rootsAs', 'protocol', 'autoStart'],
  ...ruleKeys,
  'tools',
];

/**
 * What other clients write that changes nothing here: how they show a server, how long they wait for
 * it, and what they call without asking, where the hub leaves asking to its client.
 */
const idleKeys: readonly string[] = [
  ...['disabled', 'enabled'],
  ...['alwaysAllow', 'autoApprove', 'trust'],
  ...['timeout', 'initTimeout'],
  ...['description', 'name', 'icon', 'gallery', 'version', 'dev', 'sandbox'],
];

/** What other clients narrow a server with. To ignore it would widen that, and nobody would notice. */
const toolLists: readonly string[] = [
  ...['disabledTools', 'disabled_tools', 'excludeTools'],
  ...['enabledTools', 'enabled_tools', 'includeTools', 'allowedTools'],
];

/** Whether the entry is switched off, as some clients keep a server for later. */
export function isLeftOut(entry: JsonObject, mistakes: Mistakes): boolean {
  const isDisabled = readSwitch(entry['disabled'], 'disabled', mistakes) ?? false;
  const isEnabled = readSwitch(entry['enabled'], 'enabled', mistakes) ?? true;
  return isDisabled || !isEnabled;
}

/** The entry without what only other clients know; notes what it would be unsafe to leave out. */
export function withoutForeignKeys(entry: JsonObject, mistakes: Mistakes): JsonObject {
  const own = Object.entries(entry).filter(
    ([key, value]) => !(idleKeys.includes(key) || isNarrowing(key, value, mistakes)),
  );
  return Object.fromEntries(own);
}

function isNarrowing(key: string, value: unknown, mistakes: Mistakes): boolean {
  if (key === 'roots') {
    mistakes.addAt(
      key,
      'cannot be said here: the client names the roots. Narrow them with "allow".',
    );
  } else if (key === 'sandboxEnabled') {
    if (readSwitch(value, key, mistakes)) {
      mistakes.addAt(key, 'cannot be kept: the hub has no sandbox. Leave it out to do without.');
    }
  } else if (toolLists.includes(key)) {
    if (!(Array.isArray(value) && value.length === 0)) {
      mistakes.addAt(key, 'cannot be kept: the hub offers every tool. Leave it out to do so.');
    }
  } else {
    return false;
  }
  return true;
}
