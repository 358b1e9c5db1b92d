/** Invisible first character of what the test report inside VS Code prints, so that it can be told from the workbench's own log. */
export const TEST_OUTPUT = "\u2063";
