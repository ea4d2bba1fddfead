/** A collection, from its files to an answer. */
import { uploadFile } from '../../../contract/src/endpoints/files.ts'
import { addToCollection, createCollection, queryCollections } from '../../../contract/src/endpoints/knowledge.ts'
import type { Example } from './example.ts'
import { example, sample } from './example.ts'

const collection = {
  id: sample.collection,
  type: 'collection',
  status: 'processed',
  user_id: sample.user,
  name: 'Handbook',
  description: 'How we work',
  write_access: true,
  file_count: 0,
  created_at: sample.seconds,
  updated_at: sample.seconds,
} as const

export const knowledgeExamples: [string, Example][] = [
  example(uploadFile, {
    note: 'A multipart form with the field `file`. Its text is extracted in the background; `GET /api/v1/files/{id}/process/status?stream=true` says how far that is.',
    query: { collection_id: sample.collection },
    reply: {
      id: sample.file,
      user_id: sample.user,
      filename: 'handbook.pdf',
      hash: sample.sha256,
      data: { status: 'pending' },
      meta: { name: 'handbook.pdf', content_type: 'application/pdf', size: 48_213 },
      created_at: sample.seconds,
      updated_at: sample.seconds,
    },
  }),
  example(createCollection, {
    body: { name: 'Handbook', description: 'How we work', access_grants: [] },
    reply: { ...collection, files: [] },
  }),
  example(addToCollection, {
    params: { id: sample.collection },
    body: { file_id: sample.file },
    reply: { ...collection, file_count: 1, files: [] },
    errors: ['not_found', 'file_not_found'],
  }),
  example(queryCollections, {
    body: { collection_names: [sample.collection], query: 'How many days of leave do we have?', k: 3, hybrid: true },
    reply: {
      documents: [['Everybody has thirty days of leave each year.']],
      metadatas: [[{ file_id: sample.file, name: 'handbook.pdf', source: 'handbook.pdf', page: 12, heading: 'Leave' }]],
      distances: [[0.83]],
    },
    errors: ['not_found'],
  }),
]
