/** An app with an embedding engine and a model, three people, and what its tests do with files and collections. */
import { startEmbedder } from '../peers/embedder.ts'
import { startModelProvider } from '../peers/model-provider.ts'
import { testApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { uploadText } from './files.ts'
import type { Person } from './people.ts'

export const collectionsPath = '/api/v1/knowledge'

export const create = async (person: Person, more: object = {}) =>
  (await person.post(`${collectionsPath}/create`, { name: 'Notes', description: 'What we know', ...more })).body
    .id as string

/** Processed when it resolves. */
export const upload = async (person: Person, text: string, name = 'notes.txt') =>
  (await uploadText(person, text, { name, query: 'process_in_background=false' })).body.id as string

export const add = (person: Person, id: string, fileId: string) =>
  person.post(`${collectionsPath}/${id}/file/add`, { file_id: fileId })

export const collectionOf = async (person: Person, ...texts: string[]) => {
  const id = await create(person)
  for (const text of texts) await add(person, id, await upload(person, text))
  return id
}

export const ask = (person: Person, names: string[], query: string, more: object = {}) =>
  person.post('/api/v1/retrieval/query/collection', { collection_names: names, query, ...more })

export const found = async (person: Person, names: string[], query: string, more: object = {}): Promise<string[]> =>
  (await ask(person, names, query, more)).body.documents[0]

/** A person's usage of a model today. */
export const usedBy = async (person: Person, model: string) => {
  const { rows } = (await person.get(`/api/v1/usage?by=model&model=${model}`)).body
  const [{ requests, failures, prompt_tokens: tokens }] = rows
  return { requests, failures, tokens }
}

/** Ana and her colleague are of one organization, the stranger is of another. */
export const knowledgeApp = async (env: Record<string, string> = {}) => {
  const [embedder, provider] = [await startEmbedder(), await startModelProvider({ models: ['swift'] })]
  atEnd(embedder.close)
  const app = await testApp({ env: { ...embedder.env, COMPAT_API_BASE_URL: provider.url, ...env } })
  const [ana, colleague] = [await app.user({ org: 'acme' }), await app.user({ org: 'acme' })]
  return { app, embedder, provider, ana, colleague, stranger: await app.user({ org: 'other' }) }
}
