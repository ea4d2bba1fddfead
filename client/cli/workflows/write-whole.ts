import { rename, rm, writeFile } from 'node:fs/promises'

/** Replaces a file as a whole. What lies in the way is removed, as it could be a link to somewhere else. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { flag: 'wx' })
  await rename(draft, path)
}
