/** The files of a folder, with their hashes. Names that begin with a dot are left out, and links are not followed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from './command.ts'

export interface FolderFile {
  /** Inside the folder, with slashes. */
  path: string
  hash: string
  /** On this machine. */
  source: string
}

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

const listPaths = async (folder: string, inside = ''): Promise<string[]> => {
  const entries = await readdir(join(folder, inside), { withFileTypes: true })
  const shown = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  const paths = await Promise.all(
    shown.map((entry) => {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) return listPaths(folder, path)
      return entry.isFile() ? [path] : []
    }),
  )
  return paths.flat()
}

export const readFolder = async (folder: string): Promise<FolderFile[]> => {
  const paths = await listPaths(folder).catch((problem: Error) => {
    throw new CliError(`${folder} can't be read: ${problem.message}`)
  })
  const files: FolderFile[] = []
  for (const path of paths) {
    const source = join(folder, path)
    files.push({ path, source, hash: await hashFile(source) })
  }
  return files
}
