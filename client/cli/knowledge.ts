/** Makes a knowledge collection equal to a folder. */
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { deleteFile, getFile, uploadFile } from '@chancery/contract/endpoints/files.ts'
import { createCollection, listCollections, syncCollection } from '@chancery/contract/endpoints/knowledge.ts'
import type { SyncReply } from '@chancery/contract/files/knowledge.ts'
import { ApiError, type Client } from '../src/index.ts'
import { CliError, type Command, type Terminal, textOption, UsageError } from './command.ts'
import { type FolderFile, readFolder } from './folder.ts'

const pauseMs = 1000

const findCollection = async (client: Client, asked: string): Promise<string | undefined> => {
  const named: string[] = []
  for await (const { id, name } of client.each(listCollections, { query: { search: asked } })) {
    if (id === asked) return id
    if (name === asked) named.push(id)
  }
  if (named.length > 1)
    throw new CliError(`There are ${named.length} collections named "${asked}". Give the id: ${named.join(', ')}`)
  return named[0]
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Made where there is none of this name. */
const collectionOf = async (client: Client, asked: string): Promise<string> => {
  if (isId(asked)) return asked
  const found = await findCollection(client, asked)
  return found ?? (await client.call(createCollection, { body: { name: asked } })).id
}

/** Returns its id once it is processed. One that can't be processed is deleted again. */
const upload = async (client: Client, { source }: FolderFile, { signal, wait }: Terminal): Promise<string> => {
  const body = new FormData()
  body.append('file', await openAsBlob(source), basename(source))
  const { id } = await client.call(uploadFile, { body, signal })
  const params = { id }
  try {
    for (;;) {
      const { data } = await client.call(getFile, { params, signal })
      if (data.status === 'completed') return id
      if (data.status === 'failed') throw new CliError(data.error ?? "It couldn't be read.")
      await wait(pauseMs, signal)
    }
  } catch (error) {
    await client.call(deleteFile, { params }).catch(() => undefined)
    throw error
  }
}

interface Sync {
  id: string
  files: readonly FolderFile[]
  preview: SyncReply
}

/** By path. Files that can't be processed are told and left out; the collection keeps what it has of them. */
const uploadMissing = async (client: Client, { files, preview }: Sync, terminal: Terminal) => {
  const missing = new Set(preview.missing)
  const ids = new Map<string, string>()
  const failed = new Set<string>()
  for (const file of files.filter(({ path }) => missing.has(path))) {
    try {
      ids.set(file.path, await upload(client, file, terminal))
      terminal.note(`uploaded ${file.path}`)
    } catch (error) {
      const concernsFile =
        error instanceof CliError || (error instanceof ApiError && [413, 415, 422].includes(error.status))
      if (!concernsFile) {
        await forget(client, ids)
        throw error
      }
      failed.add(file.path)
      terminal.note(`${file.path}: ${error.message}`)
    }
  }
  return { ids, failed }
}

const forget = (client: Client, ids: ReadonlyMap<string, string>) =>
  Promise.allSettled([...ids.values()].map((id) => client.call(deleteFile, { params: { id } })))

const apply = async (
  client: Client,
  sync: Sync,
  { ids, failed }: { ids: ReadonlyMap<string, string>; failed: ReadonlySet<string> },
) => {
  const { id, files, preview } = sync
  const held = new Map(preview.plan?.changed.map(({ path, hash }) => [path, hash]))
  const entries = files.flatMap(({ path, hash }) => {
    const file_id = ids.get(path)
    if (file_id !== undefined) return [{ path, hash, file_id }]
    const kept = failed.has(path) ? held.get(path) : hash
    return kept === undefined ? [] : [{ path, hash: kept }]
  })
  const { removed = [], changed = [] } = preview.plan ?? {}
  try {
    const body = { files: entries, expected_removals: removed, expected_changes: changed }
    const reply = await client.call(syncCollection, { params: { id }, body })
    if (reply.missing.length === 0) return reply
  } catch (error) {
    // After a lost reply the collection may hold the uploads already.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) await forget(client, ids)
    throw error
  }
  await forget(client, ids)
  throw new CliError('The collection was changed meanwhile. Run the sync again.')
}

export const syncKnowledge: Command = {
  name: 'knowledge sync',
  arguments: ['FOLDER'],
  options: { collection: { type: 'string' }, preview: { type: 'boolean' } },
  sentence: 'Make a collection equal to a folder: adds, replaces and removes files. --preview changes nothing.',
  details: '--collection is a name or an id; a collection that does not exist yet is made. Hidden files are left out.',
  run: async (call) => {
    const [folder = ''] = call.given
    const asked = textOption(call, 'collection')
    if (asked === undefined) throw new UsageError('Say which collection: --collection NAME.')
    const files = await readFolder(folder)
    if (files.length === 0) throw new CliError(`${folder} has no files. Nothing was changed.`)
    const { terminal } = call
    const client = await call.client()
    const id = await collectionOf(client, asked)
    const listed = files.map(({ path, hash }) => ({ path, hash }))
    const preview = await client.call(syncCollection, { params: { id }, body: { files: listed, preview: true } })
    for (const path of preview.plan?.added ?? []) terminal.say(`add     ${path}`)
    for (const { path } of preview.plan?.changed ?? []) terminal.say(`change  ${path}`)
    for (const path of preview.plan?.removed ?? []) terminal.say(`remove  ${path}`)
    if (call.options.preview) return undefined
    const sync = { id, files, preview }
    const uploads = await uploadMissing(client, sync, terminal)
    const { added, changed, removed } = await apply(client, sync, uploads)
    terminal.note(`${added} added, ${changed} changed, ${removed} removed`)
    return uploads.failed.size === 0 ? 0 : 1
  },
}
