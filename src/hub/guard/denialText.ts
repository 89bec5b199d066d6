import type { FoundPath } from '../../domain/guard/argumentPaths.ts';
import { jsonLine, printable } from '../../domain/printable.ts';

/** What is said of a call that is refused. */
export interface DenialText {
  /** The argument that names the path, without the places in lists: `files[].path`. */
  readonly argument: string;
  /** Why, in finished sentences. */
  readonly reason: string;
  /** The whole answer for the client. */
  readonly message: string;
}

/** Why the judge of a path refuses it. */
interface PathDenial {
  /** Finished sentences; empty when there is no more to say than that it is outside. */
  readonly reason: string;
  /** Whether a rule of the configuration refuses the path; then the text offers no remedy. */
  readonly isByRule?: true;
}

/**
 * For a call that names a path which is refused.
 *
 * @param roots the paths of the roots, as they were announced.
 */
export function denialText(
  called: { readonly server: string; readonly tool: string },
  { given, text, argument }: FoundPath,
  refusal: PathDenial,
  roots: readonly string[],
): DenialText {
  const reason = refusal.reason || (given.includes(text) ? '' : rewritable);
  const path = argument.path.replace(/^\[\d+\]\.?/, '');
  const place = path === '' ? 'among the arguments' : `the argument ${quoted(path)}`;
  const sentences = [
    `Access denied: Path '${printable(given.slice(0, 200))}' is outside the allowed roots boundaries.`,
    `Current roots: [${roots.map(printable).join(', ')}]`,
    reason,
    `It is ${place} of the tool ${quoted(called.tool)}.`,
    refusal.isByRule || argument.name === '' ? '' : remedy(called.server, argument.name),
  ];
  return {
    argument: path.replace(/\[\d+\]/g, '[]'),
    reason: reason || 'It is outside the roots.',
    message: sentences.filter(sentence => sentence !== '').join(' '),
  };
}

/** For a call whose arguments as a whole can't be checked, for a reason in finished sentences. */
export function uncheckableText(reason: string): DenialText {
  const message = `Access denied: The arguments cannot be checked. ${reason}`;
  return { argument: '', reason, message };
}

/** The reasons when the globs of the configuration refuse a path in the roots. */
export const globReasons = {
  deny: 'The "deny" globs in the configuration of the hub leave it out.',
  allow: 'The "allow" globs in the configuration of the hub do not name it.',
} as const;

/**
 * The reason when the refused path does not stand in the argument itself, but results from decoding
 * or expanding it.
 */
const rewritable = 'It could be expanded or decoded to something outside: write the plain path.';

/** The key that lets such a value pass. */
function remedy(server: string, name: string): string {
  const key = `"leaveNames": [${quoted(name)}]`;
  return `If that is never a local path, add ${key} to the server ${quoted(server)} in servers.json.`;
}

function quoted(text: string): string {
  return jsonLine(text.slice(0, 200));
}
