/** A name for a server that is started by these words, after its package. */
export function nameFromCommand(command: string, args: readonly string[]): string {
  const program = baseName(command).replace(/\.(?:exe|cmd|bat)$/i, '');
  const subject = runners.has(program) ? args.find((arg, at) => isSubject(arg, args[at - 1])) : '';
  return cleaned(subject || program);
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

/** Programs that run what their arguments name. */
const runners: ReadonlySet<string> = new Set([
  ...['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'node', 'deno', 'tsx'],
  ...['uvx', 'uv', 'pipx', 'python', 'python3', 'py', 'docker', 'podman', 'cmd', 'java', 'dotnet'],
]);

const noSubject: ReadonlySet<string> = new Set([
  ...['run', 'exec', 'dlx', 'tool', 'x', 'start', 'container', 'npx', 'uvx', 'docker', 'podman'],
]);

/** Options of these programs that take the next word for themselves. */
const withValue =
  /^(?:-[evpuwcl]|--(?:env|env-file|volume|mount|name|network|publish|user|workdir|platform|entrypoint|from|with|python|directory|project|require|import))$/;

/** Options of `cmd` are one letter after a slash, with which paths begin as well. */
const option = /^(?:-|\/\w$)/;

function isSubject(arg: string, before = ''): boolean {
  return !option.test(arg) && !noSubject.has(arg) && !withValue.test(before) && arg !== '.';
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
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
