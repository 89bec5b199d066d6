export const { process } = globalThis;

/** No browser page runs this code, so CORS is never a reason to refuse a request. */
export const CORS_IS_POSSIBLE = false;

/**
 * Replaces the SDK's JSON Schema compiler in the bundles, which makes code from schemas and names
 * modules outside the package. No code of this project lets the SDK check a schema.
 */
export class DefaultJsonSchemaValidator {
  /** @throws always, so that a use of this class is noticed. */
  getValidator(): never {
    throw new Error('A JSON Schema validator is missing.');
  }
}
