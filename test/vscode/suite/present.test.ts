import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the extension", () => {
  it("is present and activates", async () => {
    const extension = vscode.extensions.getExtension("plimsoll.plimsoll");
    assert.ok(extension);

    await extension.activate();

    assert.equal(extension.isActive, true);
  });
});
