/** What can be attached, and how far an attached file is. */
import * as filesEndpoints from '@chancery/contract/endpoints/files.ts'
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import { FileStatus } from '@chancery/contract/files/files.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { call } from '#lib/http/call.ts'

export const fileUrl = (id: string) => addressOf(filesEndpoints.readFile, { params: { id } })

export const readProgress = (id: string) =>
  call({ ...filesEndpoints.getFileProgress, reply: FileStatus }, { params: { id } })

const few = 5

export async function findFiles(search: string) {
  const [collections, files] = await Promise.all([
    call(knowledgeEndpoints.listCollections, { query: { search, limit: few } }),
    call(filesEndpoints.listFiles, { query: { search, status: 'completed', limit: few } }),
  ])
  return { collections: collections.items, files: files.items }
}
