export const reviewWords = {
  ask: (name: string): string =>
    `Look at the saved state of ${name}; edits count. /clear is typed when you choose Clear Now.`,
  clearNow: "Clear Now",
  cancel: "Cancel",
  notOpened: (name: string): string =>
    `The saved state of ${name} could not be opened. Look at it yourself, or cancel.`,
  notSaved: (name: string): string =>
    `Your edits of the saved state of ${name} could not be written; nothing was cleared. Save the file, then choose Clear Now again.`,
  over: "This save is not waiting for you any more; nothing was done.",
};
