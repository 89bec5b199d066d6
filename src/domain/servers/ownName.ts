/** A name without scope, path, version and words that most servers' names have. */
export function ownName(subject: string): string {
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
