import { type Sentence, sentence } from '../sentence.ts';
import type { Surroundings } from '../settings/folderVariables.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { isJsonObject } from '../settings/values.ts';
import { convertLaunch } from './convertLaunch.ts';
import { EntryReader } from './entryReader.ts';
import { EntryTexts } from './entryTexts.ts';
import type { FileInputs } from './fileInputs.ts';
import type { ImportSource } from './importSource.ts';
import { type KnownInputs, ServerInputs } from './inputIds.ts';
import type { InputEntry, KeptValue, ServerEntry } from './serverEntry.ts';

/** Where a server comes from, and what is there already. */
export interface ConversionTerms {
  readonly source: ImportSource;
  readonly fileInputs: FileInputs;
  readonly known: KnownInputs;
  readonly around: Surroundings;
}

/** A server of a file in our form, with all there is to say about it. */
export interface ConvertedServer {
  /** `undefined`: it can't be taken over, and `doubts` say why. */
  readonly entry: ServerEntry | undefined;
  /** The inputs that the entry uses, to be defined with it. */
  readonly inputs: readonly InputEntry[];
  readonly kept: readonly KeptValue[];
  /** What is different here, or left behind, without harm. */
  readonly notes: readonly Sentence[];
  /** Why it may not work as it is. */
  readonly doubts: readonly Sentence[];
}

/** A server with more text than this is none that a person wrote. */
const maxLength = 100_000;

/**
 * Converts one server of another client's file. It never throws, keeps each key or names it in the
 * notes, and holds no literal secret but in `kept`.
 *
 * @param name under which it will be in the settings: its own inputs are called after it.
 */
export function convertServer(
  name: string,
  raw: unknown,
  { source, fileInputs, known, around }: ConversionTerms,
): ConvertedServer {
  if (!isJsonObject(raw)) {
    return refused([sentence('It is not an object.')]);
  }
  if (name === '__proto__') {
    // Code that copies settings key by key would change the object it copies to.
    return refused([sentence('A server can not have this name.')]);
  }
  if (JSON.stringify(raw).length > maxLength) {
    return refused([sentence('It is too long to be a server.')]);
  }
  const serverInputs = new ServerInputs(name, known);
  const texts = new EntryTexts({ source, fileInputs, serverInputs });
  const reader = new EntryReader(raw);
  const isDisabled = reader.flag('disabled') ?? false;
  const launch = convertLaunch({ reader, texts, source });
  if (!launch.ok) {
    return refused([launch.refusal, ...reader.doubts]);
  }
  const entry = { ...launch.entry, ...(isDisabled && { autoStart: false }) };
  const problem = readServerSettings({ [name]: entry }, around).problems[0];
  return {
    entry: problem ? undefined : entry,
    inputs: serverInputs.all,
    kept: serverInputs.values,
    notes: [
      ...(isDisabled ? [sentence('It is disabled, so it will not start with the window.')] : []),
      ...texts.notes,
      ...reader.notes,
    ],
    doubts: [...(problem ? [problem] : []), ...reader.doubts, ...texts.doubts],
  };
}

function refused(doubts: readonly Sentence[]): ConvertedServer {
  return { entry: undefined, inputs: [], kept: [], notes: [], doubts };
}
