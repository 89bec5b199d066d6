/** The message of an error; any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code for a failure, such as `ENOENT`; `undefined` for what is none of the system's. */
export function codeOf(error: unknown): string | undefined {
  // An aborted signal has a code, too, but that is a number.
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** An error with a code of the system's, thrown where it would have refused. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
