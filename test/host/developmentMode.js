// Runs in the page, before the workbench. The URL payload for extension development is ignored by a built VS Code, and
// its smoke-test flag hides notifications; so the development options go into the configuration the workbench reads.
{
  const { authority, extensions, tests } = globalThis.plimsollDevelopment;
  const uri = (path) => ({ scheme: "vscode-remote", authority, path });
  const read = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = read.call(this, name);
    if (name !== "data-settings" || this.id !== "vscode-workbench-web-configuration" || !value) return value;
    const configuration = JSON.parse(value);
    configuration.developmentOptions = {
      ...configuration.developmentOptions,
      extensions: extensions.map(uri),
      ...(tests ? { extensionTestsPath: uri(tests) } : {}),
    };
    return JSON.stringify(configuration);
  };
}
