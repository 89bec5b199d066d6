/** Nobody is signed in at a server that asks for it, with the reason. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}
