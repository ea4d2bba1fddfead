/** A worker that cannot be loaded. */
export const tasks = {}
throw new Error('this script is broken')
