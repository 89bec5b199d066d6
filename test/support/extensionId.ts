import manifest from '../../package.json' with { type: 'json' };

/** The id of the extension in an editor, whoever publishes it. */
export const extensionId = `${manifest.publisher}.${manifest.name}`;
