/** The URIs of a `text/uri-list`, in their order: one a line, comments left out. (RFC 2483, section 5.) */
export function readUriList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}
