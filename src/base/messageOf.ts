/** The message of an error; any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code for a failure (`ENOENT`); `undefined` for any other failure. */
export function codeOf(error: unknown): string | undefined {
  // An aborted signal's error has a code, too, but a number.
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** An error with a code of the system, for code that refuses as the system would. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
