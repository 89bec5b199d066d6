const vscode = require('vscode');

/** Exports the API as an extension has it that asked for it by the id in its context. */
exports.activate = async context => {
  const { getApi } = await vscode.extensions.getExtension('mcp-roots.mcp-roots').activate();
  return {
    getApi,
    requestRoots: request =>
      getApi(1).requestRoots({ extension: context.extension.id, ...request }),
  };
};
