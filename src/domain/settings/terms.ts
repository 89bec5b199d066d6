import {
  defaultTerms,
  type ProtocolChoice,
  type ServerTerms,
} from '../servers/serverDefinition.ts';
import { checkPaths, fillFolders, type Surroundings } from './folderVariables.ts';
import type { Mistakes } from './mistakes.ts';
import { checkCharacters, type JsonObject, readSwitch, readTexts } from './values.ts';
import { checkFolderVariables } from './variableMistakes.ts';

const protocols: readonly ProtocolChoice[] = ['auto', 'legacy', '2026-07-28'];

/** What an entry says of a server besides how it is started and how roots travel to it. */
export function readTerms(
  entry: JsonObject,
  around: Surroundings,
  mistakes: Mistakes,
): Omit<ServerTerms, 'rootsAs'> {
  return {
    offers: readOffers(entry['roots'], around, mistakes),
    protocol: readProtocol(entry['protocol'], mistakes),
    autoStart: readSwitch(entry['autoStart'], 'autoStart', mistakes) ?? defaultTerms.autoStart,
  };
}

function readOffers(value: unknown, around: Surroundings, mistakes: Mistakes) {
  const offers = readTexts(value, 'roots', mistakes);
  for (const [index, text] of offers?.entries() ?? []) {
    const place = ['roots', index];
    if (text.trim() === '') {
      mistakes.addAt(place, 'must be the name or the path of a folder.');
    }
    checkCharacters([{ place, text }], mistakes);
    checkFolderVariables(place, text, mistakes);
    checkPaths(place, text, around, mistakes);
  }
  return offers?.map(text => fillFolders(text, around));
}

/** The revisions of the protocol to speak. */
export function readProtocol(value: unknown, mistakes: Mistakes): ProtocolChoice {
  const known = protocols.find(protocol => protocol === value);
  if (!known && value !== undefined) {
    mistakes.addAt('protocol', 'must be "auto", "legacy" (up to 2025-11-25) or "2026-07-28".');
  }
  return known ?? defaultTerms.protocol;
}
