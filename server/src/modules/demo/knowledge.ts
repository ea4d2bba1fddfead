/** Collections with their files, processed and searchable. */
import { uploadFile } from '@chancery/contract/endpoints/files.ts'
import { addToCollection, createCollection } from '@chancery/contract/endpoints/knowledge.ts'
import { type Collection, collections } from './content/handbook.ts'
import type { Person, Scene } from './context.ts'

/** The id of each file, by its name. */
export type Files = ReadonlyMap<string, string>

export const makeKnowledge = async (scene: Scene): Promise<Files> => {
  const files = new Map<string, string>()
  for (const collection of collections) for (const [name, id] of await fill(scene, collection)) files.set(name, id)
  return files
}

const fill = async ({ organizationId, person }: Scene, { name, description, owner, files }: Collection) => {
  const caller = person(owner)
  const access_grants = [
    { principal_type: 'organization' as const, principal_id: organizationId, permission: 'read' as const },
  ]
  const { id } = await caller.call(createCollection, { body: { name, description, access_grants } })
  const added: [name: string, id: string][] = []
  for (const [fileName, text] of Object.entries(files)) {
    const fileId = await upload(caller, fileName, text)
    await caller.call(addToCollection, { params: { id }, body: { file_id: fileId } })
    added.push([fileName, fileId])
  }
  return added
}

const upload = async (caller: Person, name: string, text: string): Promise<string> => {
  const form = new FormData()
  form.append('file', new Blob([text], { type: 'text/markdown' }), name)
  const { id } = await caller.call(uploadFile, { query: { process_in_background: false }, body: form })
  return id
}
