export const { process } = globalThis;

/** No page runs this, so no request is refused because of one. */
export const CORS_IS_POSSIBLE = false;

/**
 * Replaces, in the bundles, the JSON Schema compiler of the SDK: it makes code of schemas, and names
 * modules that are not in the package. Nothing here has a schema checked by the SDK.
 */
export class DefaultJsonSchemaValidator {
  /** @throws always, so that a use of it is noticed. */
  getValidator(): never {
    throw new Error('There is no JSON Schema validator.');
  }
}
