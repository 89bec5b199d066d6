import { isOfRoots, type Variable, variablesIn, type Written } from '../variables/variableNames.ts';
import type { KeyPath } from './keyPath.ts';
import type { Launch } from './launch.ts';

/** The keys of a definition whose texts may hold variables. */
export type LaunchKey = 'command' | 'args' | 'cwd' | 'env' | 'envFile' | 'url' | 'headers';

/** A text of a launch. */
export interface LaunchText {
  readonly key: LaunchKey;
  /** Where it stands. */
  readonly place: KeyPath;
  readonly text: string;
}

/** All texts of a launch, in an order that is always the same. */
export function launchTexts(launch: Launch): LaunchText[] {
  if (launch.type === 'http') {
    return [one('url', launch.url), ...byName('headers', launch.headers)];
  }
  const { command, args, cwd, env, envFile } = launch;
  return [
    one('command', command),
    ...args.map((text, index): LaunchText => ({ key: 'args', place: ['args', index], text })),
    ...(cwd === undefined ? [] : [one('cwd', cwd)]),
    ...byName('env', env),
    ...(envFile === undefined ? [] : [one('envFile', envFile)]),
  ];
}

/** The launch with each of its texts changed. What it is changed to is looked at no further. */
export function mapLaunchTexts(
  launch: Launch,
  change: (text: string) => string,
  changeArgument: (text: string) => readonly string[] = text => [change(text)],
): Launch {
  if (launch.type === 'http') {
    return { ...launch, url: change(launch.url), headers: mapValues(launch.headers, change) };
  }
  const { command, args, cwd, env, envFile } = launch;
  return {
    ...launch,
    command: change(command),
    args: args.flatMap(changeArgument),
    cwd: cwd === undefined ? undefined : change(cwd),
    env: mapValues(env, change),
    envFile: envFile === undefined ? undefined : change(envFile),
  };
}

/** The variables in all texts of a launch, in their order. */
export function launchVariables(launch: Launch): Written[] {
  return launchTexts(launch).flatMap(({ text }) => variablesIn(text));
}

/** The keys of a launch in whose texts roots are named. */
export function keysWithRoots(launch: Launch): ReadonlySet<LaunchKey> {
  const texts = launchTexts(launch).filter(({ text }) =>
    variablesIn(text).some(({ variable }) => isRoots(variable)),
  );
  return new Set(texts.map(({ key }) => key));
}

function isRoots(variable: Variable | undefined): boolean {
  return variable !== undefined && isOfRoots(variable);
}

function one(key: LaunchKey, text: string): LaunchText {
  return { key, place: [key], text };
}

function byName(key: LaunchKey, values: Readonly<Record<string, string>>): LaunchText[] {
  return Object.entries(values).map(([name, text]) => ({ key, place: [key, name], text }));
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, change(text)]));
}
