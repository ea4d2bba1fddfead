/** The content types of replies that a handler writes itself, by operation. Not named here: any type. */
import type { Json } from './schemas.ts'

const json = 'application/json'
const stream = 'text/event-stream'
const pdf = 'application/pdf'

const types: Readonly<Record<string, readonly string[]>> = {
  'chats.getChat': [json],
  'chats.exportChats': [json, 'application/x-ndjson'],
  'completions.complete': [json, stream],
  'completions.completeChat': [json],
  'completions.createMessage': [json, stream],
  'completions.followReply': [stream],
  'events.followEvents': [stream],
  'files.getFileProgress': [json, stream],
  'platform.checkDeeply': [json],
  'platform.readApiDescription': [json],
  'platform.readMetrics': ['text/plain'],
  'runs.followRun': [stream],
  'signing.previewText': [pdf],
  'signing.readCertificate': [pdf],
  'signing.readDocument': [pdf],
  'usage.getUsage': [json, 'text/csv'],
  post_api_embeddings: [json],
  post_api_responses: [json, stream],
  post_api_message: [json, stream],
  post_api_v1_chat_completions: [json, stream],
}

const schemaFor = (type: string): Json => {
  if (type === json) return { type: 'object' }
  return /^text\/|ndjson/.test(type) ? { type: 'string' } : { type: 'string', contentMediaType: type }
}

export const mediaOf = (id: string): Json => {
  const named = types[id]
  if (!named) return { '*/*': {} }
  return Object.fromEntries(named.map((type) => [type, { schema: schemaFor(type) }]))
}
