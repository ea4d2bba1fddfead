/** `/api/v1/files` (contract, Files and knowledge). */
import * as endpoints from '@chancery/contract/endpoints/files.ts'
import { FileStatus } from '@chancery/contract/files/files.ts'
import { AppError } from '#kernel/errors.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import { eventStreamHeaders } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { FilesContext } from './context.ts'
import { cancelProcessing, retryProcessing } from './control-processing.ts'
import { deleteFiles } from './delete-file.ts'
import { getFile, getOwnFile } from './get-file.ts'
import { presentFile, presentStatus } from './present.ts'
import { findTextUnscoped, listOwnFiles } from './queries/files.ts'
import { streamStatus } from './status-stream.ts'
import { uploadFile } from './store-file.ts'

const base = '/api/v1/files'
const mebibyte = 1024 * 1024
const uploads = [{ per: 'actor', max: 1000, windowSec: 3600 }] as const

/** The contract's paths end in a slash; clients also send them without. */
const withAndWithoutSlash = (make: (path: '/api/v1/files' | '/api/v1/files/') => Route): Route[] => [
  make(base),
  make(`${base}/`),
]

export const fileRoutes = (context: FilesContext): Route[] => [
  ...collectionRoutes(context),
  ...recordRoutes(context),
  ...processingRoutes(context),
]

const collectionRoutes = (context: FilesContext): Route[] => [
  ...withAndWithoutSlash((path) =>
    route({
      ...endpoints.uploadFile,
      path,
      access: 'signedIn',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Upload a file; unless process=false its text is extracted and indexed',
      limits: uploads,
      upload: { maxBytes: context.config.FILE_MAX_SIZE_MB * mebibyte },
      handle: async ({ actor, query, body: { metadata = {} }, http }) => {
        const [file] = http.files
        if (!file) throw new AppError('invalid_multipart')
        const { process, process_in_background: inBackground, collection_id: collectionId } = query
        return presentFile(await uploadFile(context, actor, { file, metadata, process, inBackground, collectionId }))
      },
    }),
  ),
  ...withAndWithoutSlash((path) =>
    route({
      ...endpoints.listFiles,
      path,
      access: 'signedIn',
      summary: "The caller's files, newest first",
      handle: async ({ actor, query }) => {
        const { items, total } = await listOwnFiles(context.db, actor, query)
        return { items: items.map(presentFile), total }
      },
    }),
  ),
]

const recordRoutes = (context: FilesContext): Route[] => [
  route({
    ...endpoints.getFile,
    access: 'signedIn',
    summary: 'One file',
    handle: async ({ actor, params }) => presentFile(await getFile(context, context.db, { actor, id: params.id })),
  }),
  route({
    ...endpoints.readFile,
    access: 'signedIn',
    summary: 'The bytes, whole or in part; types that could run scripts are always downloads',
    handle: async ({ actor, params, query, http }) => {
      const file = await getFile(context, context.db, { actor, id: params.id })
      return replyWithBlob(
        { blobs: context.blobs, http },
        { ...file, key: file.blobKey },
        { inline: !query.attachment },
      )
    },
  }),
  route({
    ...endpoints.readFileText,
    access: 'signedIn',
    summary: 'The extracted text; empty until the file is processed',
    handle: async ({ actor, params }) => {
      const { id } = await getFile(context, context.db, { actor, id: params.id })
      return { content: (await findTextUnscoped(context.db, id))?.content ?? '' }
    },
  }),
  route({
    ...endpoints.deleteFile,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a file, also from every collection',
    handle: ({ actor, params }) =>
      context.db.transaction().execute(async (tx) => {
        const { id } = await getOwnFile(tx, actor, params.id)
        await deleteFiles(context, tx, [id])
      }),
  }),
]

const processingRoutes = (context: FilesContext): Route[] => [
  route({
    ...endpoints.getFileProgress,
    access: 'signedIn',
    summary: 'How far processing is; stream=true answers server-sent events until it ends',
    handle: async ({ actor, params: { id }, query, http }) => {
      const file = await getFile(context, context.db, { actor, id })
      const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
      if (!query.stream) return { headers: json, body: JSON.stringify(FileStatus.parse(presentStatus(file))) }
      const read = async () => {
        if (!(await http.isStillAuthorized())) return undefined
        return getFile(context, context.db, { actor, id }).catch(() => undefined)
      }
      const body = streamStatus(context, { fileId: id, read, signal: http.signal })
      return { headers: eventStreamHeaders, isWatching: true, body }
    },
  }),
  route({
    ...endpoints.processFile,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Process a file that failed, or that was uploaded with process=false',
    handle: async ({ actor, params }) => presentFile(await retryProcessing(context, actor, params.id)),
  }),
  route({
    ...endpoints.cancelFileProcessing,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Stop processing a file',
    handle: async ({ actor, params }) => presentFile(await cancelProcessing(context, actor, params.id)),
  }),
]
