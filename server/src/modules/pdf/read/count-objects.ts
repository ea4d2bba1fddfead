/**
 * The number of objects that a search of the bytes finds, inside of streams and strings too. That is what readers do
 * with a file whose tables they can't use.
 */
export const countObjects = (bytes: Buffer): number =>
  [...bytes.toString('latin1').matchAll(/\d[\s\0]+\d+[\s\0]+obj(?![a-z])/gi)].length
