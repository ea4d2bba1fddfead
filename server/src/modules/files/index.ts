/** Files: uploads, their text, and the processing that modules above build on. The public interface of the module. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { FilesConfig } from './config.ts'
import type { FilesContext } from './context.ts'
import { cancelTopic, deleteFiles } from './delete-file.ts'
import { extractText } from './extract-text.ts'
import type { tasks } from './extraction/extract.worker.ts'
import { getFile, getOwnFile } from './get-file.ts'
import { handOverFiles } from './hand-over-files.ts'
import { readImage } from './images/read-image.ts'
import type { tasks as imageTasks } from './images/shrink.worker.ts'
import { storeImages } from './images/store-images.ts'
import type { Files, StorageLimit, StorageUse } from './interface.ts'
import { createProcessJob, createSweepJob } from './jobs.ts'
import { ClaimLost } from './process-file.ts'
import {
  countTextUnscoped,
  findTextUnscoped,
  keepFileUnscoped,
  listFilesUnscoped,
  lockFilesUnscoped,
} from './queries/files.ts'
import { fileRoutes } from './routes.ts'
import { createStatusWatch } from './status-watch.ts'
import { countStorage, requireStorage } from './storage.ts'
import { createProcessed, storeFile, storeStaged } from './store-file.ts'

export {
  type ExtractedText,
  type FileOwner,
  type FileProcessor,
  type Files,
  type ImageBytes,
  ProcessingFailure,
  type Transcriber,
} from './interface.ts'
export { presentFile } from './present.ts'
export type { FileRow, StoredText } from './queries/files.ts'
export type { TextMark } from './tables.ts'

interface FilesNeeds {
  kernel: Kernel<FilesConfig>
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  /** The storage limit of an organization, or of a person without one. Without it there is no limit. */
  storageLimit?: StorageLimit
  /** Bytes that other modules store for a scope beside files. They count against the same limit. */
  storageUses?: readonly StorageUse[]
}

export const createFiles = ({ kernel, accounts, storageLimit, storageUses = [] }: FilesNeeds): Files => {
  const { children, signals } = kernel
  const extractor = children.declare<typeof tasks>({
    name: 'text-extraction',
    script: new URL('./extraction/extract.worker.ts', import.meta.url),
    spareProcesses: 2,
    longAfterCpuMs: 1_000,
    limits: { memoryMb: 768, cpuMs: 25_000, wallMs: 28_000 },
  })
  const imageWorker = children.declare<typeof imageTasks>({
    name: 'image-resizing',
    script: new URL('./images/shrink.worker.ts', import.meta.url),
    processes: 1,
    spareProcesses: 1,
    longAfterCpuMs: 1_000,
    recycleAfter: 10,
    limits: { memoryMb: 768, cpuMs: 25_000, wallMs: 28_000, outputBytes: 16 * 1024 * 1024 },
  })
  const context: FilesContext = {
    ...kernel,
    extractor,
    imageWorker,
    watch: createStatusWatch(signals),
    storageLimit,
    storageUses,
    running: new Map(),
    ports: {
      processors: [],
      completions: [],
      transcribe: undefined,
      joinCollection: undefined,
      mayRead: undefined,
    },
    job: createProcessJob(() => context),
  }
  signals.on(cancelTopic, (fileId) => {
    if (fileId !== undefined) context.running.get(fileId)?.abort(new ClaimLost())
  })
  accounts.registerDeletionHandler(handOverFiles(context))
  const { ports } = context
  return {
    get: (db, actor, id) => getFile(context, db, { actor, id }),
    getOwn: getOwnFile,
    listUnscoped: listFilesUnscoped,
    lockUnscoped: lockFilesUnscoped,
    findTextUnscoped,
    countTextUnscoped,
    countStorageUnscoped: (db, scopeId) => countStorage(context, db, scopeId),
    requireStorage: (tx, owner, size) => requireStorage(context, tx, { owner, size }),
    readImage: (request) => readImage(context, request),
    extract: (request) => extractText(context, request),
    store: (actor, file) => storeFile(context, actor, { ...file, state: 'stored' }),
    storeStaged: (tx, owner, file) => storeStaged(context, tx, { owner, file }),
    storeImages: (owner, images, work) => storeImages(context, owner, { images, work }),
    createProcessed: (actor, file) => createProcessed(context, actor, file),
    keepUnscoped: keepFileUnscoped,
    deleteUnscoped: (tx, ids) => deleteFiles(context, tx, ids),
    registerProcessor: (processor) => void ports.processors.push(processor),
    registerCompletion: (handler) => void ports.completions.push(handler),
    registerTranscriber: (transcribe) => {
      ports.transcribe = transcribe
    },
    registerCollections: (join) => {
      ports.joinCollection = join
    },
    registerReaders: (mayRead) => {
      ports.mayRead = mayRead
    },
    routes: fileRoutes(context),
    jobs: [context.job, createSweepJob(context)],
  }
}
