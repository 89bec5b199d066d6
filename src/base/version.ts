/** The version in `package.json`. A test compares both. An import would bundle the whole file. */
export const version = '0.1.0';
