/** Which workflow of which server a file of the folder is: `chancery-workflows.json`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../src/index.ts'
import { CliError } from '../command.ts'
import { writeWhole } from './write-whole.ts'

/** Of the files' names. */
export const ending = '.workflow.json'
export const listName = 'chancery-workflows.json'

/** Server → file → id. */
type Ids = Record<string, Record<string, string>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Others may write into the folder's repository, so a name leads nowhere but to a file of the folder. */
const isEntry = ([file, id]: [string, unknown]): boolean =>
  typeof id === 'string' && file.endsWith(ending) && !/[/\\\0]/.test(file)

const areIds = (value: unknown): value is Ids =>
  isRecord(value) && Object.values(value).every((files) => isRecord(files) && Object.entries(files).every(isEntry))

const readIds = async (folder: string): Promise<Ids> => {
  const path = join(folder, listName)
  const text = await readFile(path, 'utf8').catch((problem: NodeJS.ErrnoException) => {
    if (problem.code === 'ENOENT') return '{}'
    throw problem
  })
  let ids: unknown
  try {
    ids = JSON.parse(text)
  } catch {
    throw new CliError(`${path} isn't valid JSON.`)
  }
  if (areIds(ids)) return ids
  throw new CliError(`${path} isn't a list of servers with names of files (….workflow.json) and ids.`)
}

export const saveIds = async (folder: string, { origin }: Client, ids: ReadonlyMap<string, string>): Promise<void> => {
  const all = { ...(await readIds(folder)), [origin]: Object.fromEntries([...ids].sort()) }
  await writeWhole(join(folder, listName), `${JSON.stringify(all, null, 2)}\n`)
}

export const idsOf = async (folder: string, { origin }: Client): Promise<Map<string, string>> =>
  new Map(Object.entries((await readIds(folder))[origin] ?? {}))
