/**
 * Workflows as files of a folder, one `NAME.workflow.json` each, in the format of the web app's export. Which workflow of
 * which server a file is stands in `chancery-workflows.json` beside them; without an entry it is the one of the same name.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listWorkflows } from '@chancery/contract/endpoints/workflows.ts'
import { parseJson, writeJson } from '@chancery/contract/reading/exact-json.ts'
import { WorkflowFile } from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import type { Client } from '../../src/index.ts'
import { CliError } from '../command.ts'
import { ending, idsOf, listName } from './ids.ts'
import { writeWhole } from './write-whole.ts'

export type FileContent = z.infer<typeof WorkflowFile>

export interface WorkflowOfFolder {
  /** The file's name. */
  file: string
  content: FileContent
  /** On the server; undefined where it has none of it yet. */
  id: string | undefined
}

/** Keys in one order, so that a change of a file shows what was changed. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}

export const textOf = (content: FileContent): string => `${writeJson(sorted(content), 2)}\n`

export const writeWorkflow = (folder: string, file: string, content: FileContent): Promise<void> =>
  writeWhole(join(folder, file), textOf(content))

const readContent = async (folder: string, file: string): Promise<FileContent> => {
  const path = join(folder, file)
  try {
    return WorkflowFile.parse(parseJson(await readFile(path, 'utf8')))
  } catch (problem) {
    throw new CliError(`${path} is no workflow that this program understands: ${(problem as Error).message}`)
  }
}

const listFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((problem: Error) => {
    throw new CliError(`${folder} can't be read: ${problem.message}`)
  })
  return names.filter((name) => name.endsWith(ending)).sort()
}

/** All files of the folder, or those that are named. */
export const readWorkflows = async (
  client: Client,
  folder: string,
  wanted: readonly string[],
): Promise<WorkflowOfFolder[]> => {
  const files = await listFiles(folder)
  const unknown = wanted.find((name) => !files.includes(name))
  if (unknown !== undefined) throw new CliError(`${folder} has no file ${unknown}.`)
  const chosen = wanted.length > 0 ? wanted : files
  if (chosen.length === 0)
    throw new CliError(`${folder} has no file that ends with ${ending}. Run chancery workflows pull first.`)
  const ids = await idsOf(folder, client)
  const byName = chosen.every((file) => ids.has(file)) ? new Map<string, string[]>() : await listNames(client)
  const read = async (file: string): Promise<WorkflowOfFolder> => {
    const content = await readContent(folder, file)
    return { file, content, id: ids.get(file) ?? onlyOne(byName.get(content.name), content.name) }
  }
  const workflows = await Promise.all(chosen.map(read))
  requireOneEach(workflows)
  return workflows
}

/** Two files of one workflow would replace each other. */
const requireOneEach = (workflows: readonly WorkflowOfFolder[]): void => {
  const files = new Map<string, string>()
  for (const { id, file } of workflows) {
    if (id === undefined) continue
    const other = files.get(id)
    if (other !== undefined)
      throw new CliError(
        `${other} and ${file} are both the workflow ${id}. Give one another name inside, or say in ${listName} which one each is.`,
      )
    files.set(id, file)
  }
}

const listNames = async (client: Client): Promise<Map<string, string[]>> => {
  const names = new Map<string, string[]>()
  for await (const { id, name } of client.each(listWorkflows)) names.set(name, [...(names.get(name) ?? []), id])
  return names
}

const onlyOne = (ids: readonly string[] | undefined, name: string): string | undefined => {
  if (ids === undefined || ids.length === 1) return ids?.[0]
  throw new CliError(
    `The server has ${ids.length} workflows named "${name}". Say in ${listName} which one the file is.`,
  )
}

/** A name of letters, digits and dashes that no other file has. */
export const fileNameFor = (name: string, taken: ReadonlySet<string>): string => {
  const base =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .toWellFormed()
      .replace('\uFFFD', '') || 'workflow'
  for (let count = 1; ; count += 1) {
    const file = `${base}${count === 1 ? '' : `-${count}`}${ending}`
    if (!taken.has(file)) return file
  }
}
