export { default as process } from 'node:process';

/**
 * Stands in, in the bundle, for what the SDK loads by itself: a JSON Schema compiler of 150 KB.
 * It would only check what users answer to questions, and this server asks none.
 */
export class DefaultJsonSchemaValidator {
  /** @throws always, so that a use of it is noticed. */
  getValidator(): never {
    throw new Error('The bundled server has no JSON Schema validator.');
  }
}
