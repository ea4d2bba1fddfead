/**
 * Remembers the inputs of a step that succeeded. Names, sizes and times are compared first; only when they differ (a
 * checkout touches every file) does the content decide.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

/**
 * @param {string} stampFile where the last success is remembered
 * @param {string[]} inputs files and folders, relative to the root; missing ones count as absent
 */
export const readStamp = async (stampFile, inputs) => {
  const files = (await Promise.all(inputs.map(listFiles))).flat().sort()
  const stats = await digest(files, statOf)
  const known = await readFile(stampFile, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}))
  const content = known.stats === stats ? known.content : await digest(files, read)
  const write = async () => {
    await mkdir(dirname(stampFile), { recursive: true })
    await writeFile(stampFile, JSON.stringify({ stats, content }))
  }
  const isFresh = known.content === content
  if (isFresh && known.stats !== stats) await write()
  return { isFresh, write }
}

/** @returns {Promise<string[]>} */
const listFiles = async (/** @type {string} */ path) => {
  const found = await stat(join(root, path)).catch(() => undefined)
  if (!found) return []
  if (!found.isDirectory()) return [path]
  const names = await readdir(join(root, path))
  return (await Promise.all(names.map((name) => listFiles(join(path, name))))).flat()
}

/**
 * @param {string[]} files
 * @param {(path: string) => Promise<string | Buffer>} aspect
 */
const digest = async (files, aspect) => {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const aspects = await Promise.all(files.map((file) => aspect(join(root, file))))
  for (const [index, file] of files.entries()) hash.update(`\0${file}\0`).update(aspects[index] ?? '')
  return hash.digest('hex')
}

const statOf = async (/** @type {string} */ path) => {
  const { size, mtimeMs } = await stat(path)
  return `${size} ${mtimeMs}`
}

const read = async (/** @type {string} */ path) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest()
