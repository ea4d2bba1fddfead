/** Workflows as code: files in a folder, for git and its pipelines. */
import { mkdir, readdir } from 'node:fs/promises'
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import { ApiError, type Client } from '../../src/index.ts'
import { type Call, CliError, type Command, textOption } from '../command.ts'
import { changedLines } from './changed-lines.ts'
import { fileNameFor, readWorkflows, textOf, type WorkflowOfFolder, writeWorkflow } from './folder.ts'
import { idsOf, saveIds } from './ids.ts'

const exportOf = (client: Client, id: string) => client.call(endpoints.exportWorkflow, { params: { id } })

const idsToPull = async (client: Client, wanted: readonly string[]): Promise<string[]> => {
  if (wanted.length > 0) return [...wanted]
  const ids: string[] = []
  for await (const { id } of client.each(endpoints.listWorkflows)) ids.push(id)
  return ids
}

export const pull: Command = {
  name: 'workflows pull',
  arguments: ['FOLDER', '[WORKFLOW…]'],
  sentence: 'Write workflows into a folder, one file each: all that you see, or those with these ids.',
  details: 'Secrets are not part of a file. Files of workflows that are gone stay.',
  run: async ({ client: connect, given: [folder = '', ...wanted], terminal }) => {
    const client = await connect()
    await mkdir(folder, { recursive: true })
    const ids = await idsOf(folder, client)
    const files = new Map([...ids].map(([file, id]) => [id, file]))
    const taken = new Set([...ids.keys(), ...(await readdir(folder))])
    for (const id of await idsToPull(client, wanted)) {
      const content = await exportOf(client, id)
      const file = files.get(id) ?? fileNameFor(content.name, taken)
      taken.add(file)
      ids.set(file, id)
      await writeWorkflow(folder, file, content)
      terminal.say(file)
    }
    await saveIds(folder, client, ids)
    return undefined
  },
}

/** The text of the server's draft; undefined where it has none. */
const serverText = async (client: Client, { id }: WorkflowOfFolder): Promise<string | undefined> =>
  id === undefined ? undefined : textOf(await exportOf(client, id))

export const diff: Command = {
  name: 'workflows diff',
  arguments: ['FOLDER', '[FILE…]'],
  sentence: "What a push would change: lines of the server's draft (-) and of the file (+). Exit code 1 if anything.",
  run: async ({ client: connect, given: [folder = '', ...wanted], terminal }) => {
    const client = await connect()
    let differs = false
    for (const workflow of await readWorkflows(client, folder, wanted)) {
      const lines = changedLines((await serverText(client, workflow)) ?? '', textOf(workflow.content))
      if (lines.length === 0) continue
      differs = true
      terminal.say([`${workflow.file}${workflow.id === undefined ? ' (new)' : ''}`, ...lines].join('\n'))
    }
    return differs ? 1 : 0
  },
}

/**
 * Replaces a draft by its file. A draft that was changed since its last version is kept as a version first, and one that is
 * changed in this moment is refused by its hash.
 */
const replaceDraft = async (
  client: Client,
  id: string,
  { content: { name, description, graph } }: WorkflowOfFolder,
) => {
  const params = { id }
  const { has_changes, graph_hash } = await client.call(endpoints.getWorkflow, { params })
  if (has_changes) await client.call(endpoints.takeSnapshot, { params, body: { notes: 'Before a push from files' } })
  await client.call(endpoints.updateWorkflow, { params, body: { name, description, graph, graph_hash } })
}

export const push: Command = {
  name: 'workflows push',
  arguments: ['FOLDER', '[FILE…]'],
  sentence: 'Make the drafts of the server equal to the files. New files become new workflows.',
  details: 'A draft that would be lost is kept as a version. Nothing is published.',
  run: async ({ client: connect, given: [folder = '', ...wanted], terminal }) => {
    const client = await connect()
    const workflows = await readWorkflows(client, folder, wanted)
    const ids = await idsOf(folder, client)
    for (const workflow of workflows) {
      const { file, content } = workflow
      if ((await serverText(client, workflow)) === textOf(content)) terminal.note(`unchanged ${file}`)
      else {
        terminal.say(`${workflow.id === undefined ? 'new' : 'changed'} ${file}`)
        if (workflow.id !== undefined) await replaceDraft(client, workflow.id, workflow)
        else {
          workflow.id = (await client.call(endpoints.importWorkflow, { body: content })).id
          // At once: a later file may fail, and the next push must not make this one again.
          await saveIds(folder, client, ids.set(file, workflow.id))
        }
      }
      if (workflow.id !== undefined) ids.set(file, workflow.id)
    }
    await saveIds(folder, client, ids)
    return undefined
  },
}

/** False where somebody else has to approve it. */
const publishOne = async (client: Client, id: string, notes: string | undefined): Promise<boolean> => {
  const params = { id }
  const body = notes === undefined ? {} : { notes }
  const { status } = await client.call(endpoints.getWorkflow, { params })
  const { graph_hash } = await (status === 'Staged'
    ? client.call(endpoints.getWorkflow, { params })
    : client.call(endpoints.submitWorkflow, { params, body }))
  try {
    await client.call(endpoints.approveWorkflow, { params, body: { ...body, graph_hash } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false
    throw error
  }
}

const publishAll = async (call: Call): Promise<number> => {
  const [folder = '', ...wanted] = call.given
  const { terminal } = call
  const client = await call.client()
  const workflows = await readWorkflows(client, folder, wanted)
  let waiting = 0
  for (const workflow of workflows) {
    const { id, file, content } = workflow
    if (id === undefined || (await serverText(client, workflow)) !== textOf(content))
      throw new CliError(`${file} differs from the server's draft. Push it first.`)
    const { has_changes } = await client.call(endpoints.getWorkflow, { params: { id } })
    if (!has_changes) {
      terminal.note(`unchanged ${file}`)
      continue
    }
    const isPublished = await publishOne(client, id, textOption(call, 'notes'))
    terminal.say(`${isPublished ? 'published' : 'waits for a reviewer'} ${file}`)
    if (!isPublished) waiting += 1
  }
  return waiting === 0 ? 0 : 1
}

export const publish: Command = {
  name: 'workflows publish',
  arguments: ['FOLDER', '[FILE…]'],
  options: { notes: { type: 'string' } },
  sentence:
    'Publish the drafts that were pushed. Where you may not approve, they wait for a reviewer, and the exit code is 1.',
  run: publishAll,
}
