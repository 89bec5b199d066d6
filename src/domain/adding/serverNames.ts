import { codeArguments } from '../sandbox/codeArguments.ts';
import { fetchedWords, programName } from '../servers/fetchingPrograms.ts';

/** A name for a server that is started by these words: after what it fetches, or the code that it runs. */
export function nameFromCommand(command: string, args: readonly string[]): string {
  const program = programName(command);
  const fetched = [...(fetchedWords(command, args) ?? [])].flatMap(at => args[at] ?? []);
  const [script] = codeArguments(program, args)?.scripts ?? [];
  return cleaned(fetched.at(-1) ?? script ?? program);
}

/** A name for a server at this URL, after the part of its host that names it. */
export function nameFromUrl(url: string): string {
  const hostname = URL.parse(url)?.hostname ?? '';
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) {
    return 'local';
  }
  const labels = hostname.split('.').filter(label => !/^(?:www|mcp|api|server)$/.test(label));
  // Of `example.co.uk` the name is the third from the end.
  const suffix = /^(?:com?|org|net|ac|gov)$/.test(labels.at(-2) ?? '') ? 3 : 2;
  return cleaned(labels.at(-suffix) ?? labels[0] ?? '');
}

/** The name, or the first of `name-2`, `name-3`, … that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) {
    free = `${name}-${count}`;
  }
  return free;
}

/** Without scope, path, version and the words that every server has in its name. */
function cleaned(subject: string): string {
  const path = subject.replaceAll(/\$\{[^{}]*\}/g, '');
  const [last = '', ...above] = path.split(/[\\/]/).reverse();
  const names = [last.replace(/(?<=.)[@:=<>].*$/s, ''), ...above];
  return names.map(ownWords).find(Boolean) ?? 'server';
}

function ownWords(name: string): string {
  return name
    .replace(/\.(?:[cm]?[jt]s|py|jar|dll)$/i, '')
    .replace(/(?:^|[-_.])(?:mcp|server|index|main|build|dist|src)(?=$|[-_.])/gi, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-_.]+|(?<![-_.])[-_.]+$/g, '');
}
