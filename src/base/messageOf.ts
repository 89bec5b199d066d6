/** The message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code for a failure, such as `ENOENT`. `undefined`: the failure has no such code. */
export function codeOf(error: unknown): string | undefined {
  // The error of an aborted signal also has a code, but that code is a number.
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Returns an error with a system code such as `ENOENT`, to refuse as the system would. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
