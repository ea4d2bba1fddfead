/**
 * An embedding provider of the common API whose vectors mean something: words of one concept point the same way, so that
 * a paraphrase is near. It can fail, and counts the texts that it was asked for.
 */
import { startSite } from './site.ts'

const concepts = [
  ['car', 'automobile', 'vehicle', 'sedan'],
  ['doctor', 'physician', 'medic', 'surgeon'],
  ['money', 'cash', 'funds', 'currency'],
  ['happy', 'glad', 'joyful', 'cheerful'],
  ['boat', 'ship', 'vessel', 'ferry'],
]
const dimensions = 32

const vectorOf = (text: string): number[] => {
  const vector = new Array<number>(dimensions).fill(0.01)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const concept = concepts.findIndex((words) => words.some((one) => word.startsWith(one)))
    let hash = 7
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 1009
    const at = concept === -1 ? concepts.length + (hash % (dimensions - concepts.length)) : concept
    vector[at] = (vector[at] ?? 0) + (concept === -1 ? 0.2 : 1)
  }
  return vector
}

export const startEmbedder = async () => {
  const state = { isFailing: false, refusedModel: '', texts: [] as string[] }
  const site = await startSite(({ path, body, headers }, response) => {
    if (state.isFailing) return void response.writeHead(503).end('{}')
    const { model, input } = JSON.parse(body) as { model: string; input: string[] }
    const isKnown = ['mini', 'newer'].includes(model) && model !== state.refusedModel
    const isRight = path === '/v1/embeddings' && isKnown && headers.authorization === 'Bearer embed-key'
    if (!isRight) return void response.writeHead(400).end('{}')
    state.texts.push(...input)
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
  })
  const env = {
    RAG_EMBEDDING_ENGINE: 'compat',
    RAG_EMBEDDING_MODEL: 'mini',
    RAG_EMBEDDING_API_BASE_URL: `${site.origin}/v1`,
    RAG_EMBEDDING_API_KEY: 'embed-key',
  }
  return { ...site, state, env }
}
